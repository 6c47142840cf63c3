"use client";

import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { API } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { Button } from "./button";

const UndoDialog = dynamic(() => import("./undo-dialog").then((module) => module.UndoDialog), { ssr: false });

/** On every page while the made-up fleet is loaded: nobody may take it for their own. */
export function DemoBanner() {
  const { data } = useQuery({ ...ask.demo(), staleTime: Number.POSITIVE_INFINITY });
  const [asking, setAsking] = useState(false);
  if ((data?.items.length ?? 0) === 0) return null;
  return (
    <section
      aria-label="Demo data"
      className="flex items-center gap-2.5 border-b border-warn-line bg-warn-bg px-4 py-1.5 text-warn md:px-8"
    >
      <FlaskConical aria-hidden="true" className="size-4 shrink-0" />
      <p>
        <b className="font-semibold">Demo data.</b> Runs, nodes and deliveries marked “made up” belong to no real fleet.
      </p>
      <Button size="small" className="ml-auto" onClick={() => setAsking(true)}>
        Remove it
      </Button>
      {asking && <UndoDialog what="the demo fleet" url={`${API}/demo`} leadsTo="/" onClose={() => setAsking(false)} />}
    </section>
  );
}
