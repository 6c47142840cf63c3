/** Steps, cycles and runs as the API shows them. Pure. */
import type { CanaryAnswer, CanaryCycle, CanaryStep, CanarySummary } from "@/server/domain/canary";
import type { CycleResult } from "./cycle";
import { round } from "./percentiles";
import type { Step } from "./steps";

export function stepView(step: Step): CanaryStep {
  const { record, problem } = step;
  const phases = record?.phases;
  return {
    name: step.name,
    at: new Date(step.startedAt).toISOString(),
    ms: step.ms,
    ok: step.ok,
    class: step.class,
    message: problem?.message ?? null,
    code: problem?.code ?? record?.code ?? null,
    status: record?.status ?? null,
    reused: record?.socket.reused ?? null,
    idleMs: rounded(record?.socket.idleMs),
    ownFault: record?.ownFault ?? false,
    phases: phases
      ? {
          queue: rounded(phases.queue),
          resolve: rounded(phases.resolve),
          connect: rounded(phases.connect),
          tls: rounded(phases.tls),
          write: rounded(phases.write),
          firstByte: rounded(phases.firstByte),
          transfer: rounded(phases.transfer),
        }
      : null,
  };
}

function rounded(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : round(ms);
}

export function cycleView(cycle: CycleResult): CanaryCycle {
  const { id, sandbox, node, ms, ok, ownFault, cancelled, failed, left } = cycle;
  return { id, sandbox, node, at: new Date(cycle.startedAt).toISOString(), ms, ok, ownFault, cancelled, failed, left };
}

export function summaryOf({ cycles, options: _, ...run }: CanaryAnswer): CanarySummary {
  return { ...run, result: run.result && { ...run.result, detail: {} }, cycles: cycles.length };
}
