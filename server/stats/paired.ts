/** Pairs: the same task and rollout index in two runs. Tasks, not pairs, are resampled: pairs of one task are alike. */
import { CoalmineError } from "@/server/domain/errors";
import { binomialAtMost } from "./binomial";
import { bootstrapOverTasks, type MeanKind, type TaskTotal } from "./bootstrap";
import type { Difference } from "./difference";

/**
 * Exact McNemar test, two-sided: of the pairs that differ, `b` went one way and `c` the other; were both ways equally
 * likely, how often would they split at least this unevenly? 1 when no pair differs. Throws `invalid` on a non-count.
 */
export function mcnemarExact(b: number, c: number): number {
  if (!Number.isSafeInteger(b) || !Number.isSafeInteger(c) || b < 0 || c < 0) {
    throw new CoalmineError("invalid", `${b} and ${c} are no counts of pairs`);
  }
  return Math.min(1, 2 * binomialAtMost(Math.min(b, c), b + c, 0.5));
}

/**
 * Mean of paired differences with its bootstrap interval over tasks. Each task brings the sum of its pairs' differences
 * and their number. null without pairs.
 */
export function pairedDifference(tasks: readonly TaskTotal[], kind: MeanKind, seed: number): Difference | null {
  const mean = bootstrapOverTasks(tasks, kind, seed);
  return mean && { value: mean.value, low: mean.low, high: mean.high };
}
