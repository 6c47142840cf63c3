/**
 * Percentile bootstrap over tasks (Efron 1979; cluster form: Field & Welsh 2007): whole tasks are drawn with their
 * attempts, because attempts of one task are not independent; percentiles are those of `expanded-percentile.ts`.
 * Deterministic: the seed is part of every answer.
 */
import { CoalmineError } from "@/server/domain/errors";
import type { Mean } from "@/server/domain/rate";
import { tailShare } from "./expanded-percentile";
import { addDraw, kindsOf } from "./resampling";
import { SeededRandom } from "./seeded-random";

/** Sum and number of one task's values (passes, rewards, failures). */
export interface TaskTotal {
  sum: number;
  n: number;
}

/** `meanOfTaskMeans`: every task weighs the same (pass@1). `meanOverRollouts`: every rollout does (mean reward, a rate). */
export type MeanKind = "meanOfTaskMeans" | "meanOverRollouts";

export const RESAMPLES = 10_000;
export const DEFAULT_SEED = 20_260_101;
/** Below this many tasks a resample says nothing about the spread between tasks. */
export const FEWEST_TASKS = 5;

/**
 * The mean with its 95 % interval. `n` counts tasks for `meanOfTaskMeans`, rollouts for `meanOverRollouts`; tasks with
 * n = 0 are left out. null without any value; `low` and `high` are null under 5 tasks and when all tasks are alike
 * (resampling equal tasks shows no spread, which is not the same as knowing the mean). Throws `invalid` on a negative
 * or fractional n or a sum that is no number.
 */
export function bootstrapOverTasks(tasks: readonly TaskTotal[], kind: MeanKind, seed: number): Mean | null {
  return meanOverTasks(tasks, kind, (sums, weights) => ratioInterval(sums, weights, seed));
}

/** The same mean without its interval, which takes no resampling. */
export function plainMean(tasks: readonly TaskTotal[], kind: MeanKind): Mean | null {
  return meanOverTasks(tasks, kind, () => null);
}

function meanOverTasks(
  tasks: readonly TaskTotal[],
  kind: MeanKind,
  intervalOf: (sums: Float64Array, weights: Float64Array) => { low: number; high: number } | null,
): Mean | null {
  const used = tasks.filter((task) => requireTotal(task).n > 0);
  if (used.length === 0) return null;
  const perTask = kind === "meanOfTaskMeans";
  const sums = Float64Array.from(used, (task) => (perTask ? task.sum / task.n : task.sum));
  const weights = Float64Array.from(used, (task) => (perTask ? 1 : task.n));
  const weight = total(weights);
  const interval = intervalOf(sums, weights);
  const value = total(sums) / weight;
  return { n: weight, value, low: interval?.low ?? null, high: interval?.high ?? null };
}

/** 95 % percentile interval of Σsums ÷ Σweights when tasks are drawn with replacement; null when it would say nothing. */
export function ratioInterval(
  sums: Float64Array,
  weights: Float64Array,
  seed: number,
): { low: number; high: number } | null {
  if (sums.length < FEWEST_TASKS || allAlike(sums, weights)) return null;
  const kinds = kindsOf([sums, weights]);
  const random = new SeededRandom(seed);
  const counts = new Int32Array(kinds.size.length);
  const totals = new Float64Array(2);
  const ratios = new Float64Array(RESAMPLES);
  for (let r = 0; r < RESAMPLES; r++) {
    totals.fill(0);
    addDraw(kinds, random, counts, totals);
    ratios[r] = (totals[0] as number) / (totals[1] as number);
  }
  ratios.sort();
  const tail = tailShare(sums.length);
  return { low: quantile(ratios, tail), high: quantile(ratios, 1 - tail) };
}

/** Quantile of a sorted array by linear interpolation between order statistics (Hyndman & Fan type 7). */
export function quantile(sorted: Float64Array, p: number): number {
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (position - below) * (high - low);
}

function allAlike(sums: Float64Array, weights: Float64Array): boolean {
  const first = (sums[0] as number) / (weights[0] as number);
  return sums.every((sum, i) => sum / (weights[i] as number) === first);
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function requireTotal(task: TaskTotal): TaskTotal {
  if (!Number.isFinite(task.sum) || !Number.isSafeInteger(task.n) || task.n < 0) {
    throw new CoalmineError("invalid", `a task with sum ${task.sum} and n ${task.n} cannot be averaged`);
  }
  return task;
}
