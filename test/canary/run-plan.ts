/** Runs one plan against a target as the engine does, and keeps what it told. */
import { setMaxListeners } from "node:events";
import { boundsOf } from "@/server/canary/bounds";
import type { CycleResult } from "@/server/canary/cycle";
import { checkRequest } from "@/server/canary/plans/list";
import { RunContext } from "@/server/canary/run-context";
import type { Target } from "@/server/canary/target";
import type { PlanResult } from "@/server/domain/canary";
import { KEY } from "./fleet";

export interface Ran {
  result: PlanResult;
  cycles: CycleResult[];
  lines: string[];
  points: Record<string, unknown>[];
}

export async function runPlan(
  target: Target,
  plan: string,
  options: Record<string, unknown> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  setMaxListeners(0, signal);
  const checked = checkRequest(target, plan, options);
  const told: Omit<Ran, "result"> = { cycles: [], lines: [], points: [] };
  const context = new RunContext(target, checked.setup, {
    apiKey: KEY,
    bounds: boundsOf(target.bounds),
    source: { installation: "i", canary: "c", target: target.name, plan },
    metadata: { "coalmine-installation": "i", "coalmine-engine": "e", "coalmine-canary": "c" },
    signal,
    active: new Set(),
    onStep: () => undefined,
    onCycle: (cycle) => told.cycles.push(cycle),
    onEvidence: (lines) => told.lines.push(...lines),
    goneWithinMs: 1_000,
  });
  const emit = { progress: () => undefined, point: (data: Record<string, unknown>) => void told.points.push(data) };
  const result = await checked.plan.run(context, checked.options, signal, emit);
  await context.close();
  return { result, ...told };
}
