/** Attempts of one task are alike: how much less a rate is worth for it, and an interval that takes it into account. */
import type { Rate } from "@/server/domain/rate";
import { ratioInterval } from "./bootstrap";
import type { Count } from "./difference";
import { wilson, wilsonInterval } from "./proportion";

/** From here on the interval of a rate is the bootstrap over tasks. */
export const CLUSTERED_FROM = 1.2;

export type IntervalMethod = "wilson" | "bootstrap over tasks" | "wilson at the effective size";

export interface ClusteredRate {
  /** k of n with the interval to show. */
  rate: Rate;
  method: IntervalMethod;
  /** The Wilson interval that takes all rollouts for independent. */
  naive: { low: number; high: number };
  /** Variance between tasks over the variance of independent rollouts; null when it cannot be estimated. */
  designEffect: number | null;
}

/**
 * Variance of the rate when whole tasks are drawn (linearised ratio estimator) over p(1−p)/N (Kish 1965; Rao & Scott 1992).
 * Each task gives k of n. null under two tasks, and when the rate is 0 or 1: no spread can be seen then.
 */
export function designEffect(tasks: readonly Count[]): number | null {
  const used = tasks.filter((task) => task.n > 0);
  const n = used.reduce((sum, task) => sum + task.n, 0);
  const k = used.reduce((sum, task) => sum + task.k, 0);
  if (used.length < 2 || k === 0 || k === n) return null;
  const p = k / n;
  const squares = used.reduce((sum, task) => sum + (task.k - p * task.n) ** 2, 0);
  return ((used.length / (used.length - 1)) * squares) / (n * p * (1 - p));
}

/** The rate over all tasks' rollouts; null without any. Throws `invalid` on a non-count. */
export function clusteredRate(tasks: readonly Count[], seed: number): ClusteredRate | null {
  const used = tasks.filter((task) => task.n > 0);
  const rate = wilson(
    used.reduce((sum, task) => sum + task.k, 0),
    used.reduce((sum, task) => sum + task.n, 0),
  );
  if (rate === null) return null;
  const naive = { low: rate.low, high: rate.high };
  const effect = designEffect(used);
  if (effect === null || effect <= CLUSTERED_FROM) return { rate, method: "wilson", naive, designEffect: effect };
  const resampled = ratioInterval(
    Float64Array.from(used, (task) => task.k),
    Float64Array.from(used, (task) => task.n),
    seed,
  );
  return {
    rate: { ...rate, ...(resampled ?? wilsonInterval(rate.value, rate.n / effect)) },
    method: resampled ? "bootstrap over tasks" : "wilson at the effective size",
    naive,
    designEffect: effect,
  };
}
