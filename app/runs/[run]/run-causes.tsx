"use client";

import type { RunBreakdown, RunSummary } from "@/server/domain/answers";
import { ClassTable } from "./class-table";
import { NodePlot } from "./node-plot";

/** What failed, and where. */
export function RunCauses({ run, classes }: { run: RunSummary; classes: RunBreakdown["classes"] }) {
  return (
    <div className="grid gap-x-10 lg:grid-cols-[1fr_1.12fr]">
      <ClassTable run={run.id} classes={classes} />
      <NodePlot run={run} />
    </div>
  );
}
