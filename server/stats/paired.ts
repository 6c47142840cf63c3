/** Pairs: the same task and rollout index in two runs. Tasks, not pairs, are resampled: pairs of one task are alike. */
import { CoalmineError } from "@/server/domain/errors";
import { binomialAtMost } from "./binomial";
import type { MeanKind } from "./bootstrap";
import { type ResampledDifference, resampledDifference } from "./bootstrap-difference";

/** One task's pairs: how many, and the sums of their values on both sides. */
export interface PairsOfTask {
  n: number;
  sumA: number;
  sumB: number;
}

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

/** Mean of the paired differences a − b with its bootstrap interval over tasks; null without pairs. */
export function pairedDifference(
  tasks: readonly PairsOfTask[],
  kind: MeanKind,
  seed: number,
): ResampledDifference | null {
  const both = tasks.map(({ n, sumA, sumB }) => ({ a: { sum: sumA, n }, b: { sum: sumB, n } }));
  return resampledDifference(both, kind, seed);
}
