"use client";

import type { RunBreakdown, RunSummary } from "@/server/domain/answers";
import { ConfigPanel } from "./config-panel";
import { ConfigPlot } from "./config-plot";
import { ExecSweep } from "./exec-sweep";
import { FindingsSection } from "./findings-section";

interface RunBelowProps {
  run: RunSummary;
  breakdown: RunBreakdown | undefined;
}

/** What to change, and what the run was made with. */
export function RunBelow({ run, breakdown }: RunBelowProps) {
  return (
    <>
      {breakdown && <ConfigPlot run={run.id} configs={breakdown.configs} />}
      <FindingsSection run={run} classes={breakdown?.classes ?? []} />
      <div className="grid gap-x-10 lg:grid-cols-[1fr_1.12fr]">
        <ExecSweep run={run.id} />
        <ConfigPanel run={run} />
      </div>
    </>
  );
}
