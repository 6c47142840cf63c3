"use client";

import { ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "../button";
import { SkeletonRows } from "../states";

const LineNeighbours = dynamic(() => import("./line-neighbours").then((module) => module.LineNeighbours), {
  ssr: false,
  loading: () => <SkeletonRows rows={11} height={18} />,
});

/** Opens a line of evidence to its raw line and what was written around it. */
export function LinesAround({ raw }: { raw: { batch: string; line: number; part?: number } }) {
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button look="quiet" size="small" aria-expanded={open} className="-ml-1.5" onClick={() => setOpen(!open)}>
        <ChevronRight aria-hidden="true" className={open ? "rotate-90" : undefined} /> Raw line and its neighbours
      </Button>
      {open && <LineNeighbours batch={raw.batch} line={raw.line} part={raw.part} />}
    </div>
  );
}
