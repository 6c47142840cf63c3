/** Counting what plans met: tries, failures, classes. Own faults and cancelled cycles are in no rate. */
import type { PlanResult } from "@/server/domain/canary";
import type { CycleResult } from "../cycle";

export type ClassCounts = Record<string, number>;

/** Steps that failed, by class; `none` where the classifier sees no failure. */
export function countClasses(cycles: readonly CycleResult[]): ClassCounts {
  const counts: ClassCounts = {};
  for (const cycle of cycles) {
    for (const step of cycle.steps) if (!step.ok) addClass(counts, step.class);
  }
  return counts;
}

export function addClass(counts: ClassCounts, name: string | null): void {
  const key = name ?? "none";
  counts[key] = (counts[key] ?? 0) + 1;
}

/** Cycles that count for or against the target. */
export function fairCycles(cycles: readonly CycleResult[]): CycleResult[] {
  return cycles.filter((cycle) => !cycle.ownFault && !cycle.cancelled);
}

export function trialsOf(cycles: readonly CycleResult[]): NonNullable<PlanResult["trials"]> {
  const fair = fairCycles(cycles);
  const ownFaults = cycles.filter((cycle) => cycle.ownFault).length;
  return { n: fair.length, failed: fair.filter((cycle) => !cycle.ok).length, ownFaults };
}

/** `at exec: proxy.bind_race (Could not connect …)`. */
export function whyFailed(cycle: CycleResult): string {
  const { failed } = cycle;
  if (!failed) return cycle.cancelled ? "cancelled" : "no step failed";
  const message = failed.message === null ? "" : ` (${failed.message.slice(0, 200)})`;
  return `at ${failed.step}: ${failed.class ?? "no class"}${message}`;
}

export function classList(counts: ClassCounts): string {
  const sorted = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  return sorted.map(([name, n]) => `${n} × ${name}`).join(", ");
}

/** ` 3 were left out: our own event loop was late.`, or nothing. */
export function leftOut(trials: PlanResult["trials"]): string {
  const n = trials?.ownFaults ?? 0;
  return n === 0 ? "" : ` ${n} ${n === 1 ? "was" : "were"} left out: our own trouble, not the target's.`;
}
