"use client";

import { MoreHorizontal } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { callUrl } from "@/app/_client/questions";
import { buttonLook } from "@/app/_ui/button";
import { useLate } from "@/app/_ui/use-late";
import type { RunSummary } from "@/server/domain/answers";

const UndoDialog = dynamic(() => import("@/app/_ui/undo-dialog").then((module) => module.UndoDialog), { ssr: false });
const SayDialog = dynamic(() => import("./say-dialog").then((module) => module.SayDialog), { ssr: false });

export const MENU_LABEL = "More for this run";
const load = () => import("./run-menu-list").then((module) => module.RunMenuList);

/** What else can be done with a run. */
export function RunMenu({ run }: { run: RunSummary }) {
  const [open, setOpen] = useState<"say" | "remove" | null>(null);
  const [List, reach] = useLate(load);
  return (
    <>
      {List ? (
        <List run={run} onSay={() => setOpen("say")} onRemove={() => setOpen("remove")} />
      ) : (
        <button
          type="button"
          aria-label={MENU_LABEL}
          aria-haspopup="menu"
          aria-expanded={false}
          onClick={reach}
          onPointerEnter={() => void load()}
          className={buttonLook({ size: "square" })}
        >
          <MoreHorizontal aria-hidden="true" />
        </button>
      )}
      {open === "say" && <SayDialog run={run} onClose={() => setOpen(null)} />}
      {open === "remove" && (
        <UndoDialog
          what={`the run ${run.name}`}
          url={callUrl("/runs", run.id)}
          leadsTo="/runs"
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
