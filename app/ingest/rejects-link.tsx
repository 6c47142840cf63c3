"use client";

import { useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { isPlain } from "@/app/_ui/panel/panel-state";

export const REJECTS_PARAM = "rejects";

/** Opens what of a delivery could not be read. */
export function RejectsLink({ batch, children }: { batch: string; children: ReactNode }) {
  const [, setOpen] = useQueryState(REJECTS_PARAM, { history: "push" });
  return (
    <a
      href={`/ingest?${REJECTS_PARAM}=${encodeURIComponent(batch)}`}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        void setOpen(batch);
      }}
      className="rows-link text-bad"
    >
      {children}
    </a>
  );
}
