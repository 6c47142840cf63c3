/** Bootstrap over tasks of the difference of two runs' means, for rollouts that need not pair. */
import { FEWEST_TASKS, type MeanKind, quantile, RESAMPLES, type TaskTotal } from "./bootstrap";
import { tailShare } from "./expanded-percentile";
import { normalProbability, normalQuantile } from "./normal";
import { addDraw, kindsOf, type TaskKinds } from "./resampling";
import { SeededRandom } from "./seeded-random";

/** One task in both runs; null or n = 0 where a run has no value of it. */
export interface TaskInBoth {
  a: TaskTotal | null;
  b: TaskTotal | null;
}

/** A difference with its 95 % interval, in the unit of what was compared; no interval is null. */
export interface ResampledDifference {
  value: number;
  low: number | null;
  high: number | null;
  /** Two-sided, from the share of resamples on the far side of 0; never below about 1 in 5 000. null without an interval. */
  p: number | null;
}

/**
 * mean(a) − mean(b). A task that is in both runs is drawn for both, so what is hard about it cancels; tasks of one run
 * only are drawn among themselves. null when either run has no value; no interval with fewer than 5 tasks in either.
 */
export function resampledDifference(
  tasks: readonly TaskInBoth[],
  kind: MeanKind,
  seed: number,
): ResampledDifference | null {
  const inA = tasks.filter((task) => weightOf(task.a) > 0);
  const inB = tasks.filter((task) => weightOf(task.b) > 0);
  if (inA.length === 0 || inB.length === 0) return null;
  const strata = [
    inA.filter((task) => weightOf(task.b) > 0),
    inA.filter((task) => weightOf(task.b) === 0),
    inB.filter((task) => weightOf(task.a) === 0),
  ]
    .filter((members) => members.length > 0)
    .map((members) => kindsOf(columnsOf(members, kind)));
  const value = observed(strata);
  const tasksOfSmaller = Math.min(inA.length, inB.length);
  if (tasksOfSmaller < FEWEST_TASKS) return { value, low: null, high: null, p: null };
  const differences = resample(strata, seed).sort();
  if (differences[0] === differences[RESAMPLES - 1]) return { value, low: null, high: null, p: null };
  const tail = tailShare(tasksOfSmaller);
  return {
    value,
    low: quantile(differences, tail),
    high: quantile(differences, 1 - tail),
    p: twoSided(differences, tail),
  };
}

function weightOf(total: TaskTotal | null): number {
  return total?.n ?? 0;
}

/** Columns: sum and weight of the first run, sum and weight of the second. */
function columnsOf(tasks: readonly TaskInBoth[], kind: MeanKind): Float64Array[] {
  const perTask = kind === "meanOfTaskMeans";
  const sum = (total: TaskTotal | null): number => {
    if (total === null || total.n === 0) return 0;
    return perTask ? total.sum / total.n : total.sum;
  };
  const weight = (total: TaskTotal | null): number => (perTask ? Math.min(1, weightOf(total)) : weightOf(total));
  return [
    Float64Array.from(tasks, (task) => sum(task.a)),
    Float64Array.from(tasks, (task) => weight(task.a)),
    Float64Array.from(tasks, (task) => sum(task.b)),
    Float64Array.from(tasks, (task) => weight(task.b)),
  ];
}

function ratioDifference(totals: Float64Array): number {
  return (totals[0] as number) / (totals[1] as number) - (totals[2] as number) / (totals[3] as number);
}

function observed(strata: readonly TaskKinds[]): number {
  const totals = new Float64Array(4);
  for (const { columns, size } of strata) {
    for (const [c, column] of columns.entries()) {
      totals[c] = column.reduce((sum, value, kind) => sum + value * (size[kind] ?? 0), totals[c] ?? 0);
    }
  }
  return ratioDifference(totals);
}

function resample(strata: readonly TaskKinds[], seed: number): Float64Array {
  const random = new SeededRandom(seed);
  const counts = strata.map((kinds) => new Int32Array(kinds.size.length));
  const totals = new Float64Array(4);
  const differences = new Float64Array(RESAMPLES);
  for (let r = 0; r < RESAMPLES; r++) {
    totals.fill(0);
    for (let s = 0; s < strata.length; s++) addDraw(strata[s] as TaskKinds, random, counts[s] as Int32Array, totals);
    differences[r] = ratioDifference(totals);
  }
  return differences;
}

/**
 * Share of resamples on the far side of 0, as a p-value. The expanded percentiles call a tail of `tail` 2.5 %, so shares
 * are read on that scale (as normal quantiles): p is below 0.05 exactly where the interval excludes 0.
 */
function twoSided(sorted: Float64Array, tail: number): number {
  let [below, above] = [0, 0];
  for (const difference of sorted) {
    if (difference <= 0) below++;
    if (difference >= 0) above++;
  }
  const share = Math.min(0.5, (Math.min(below, above) + 1) / (sorted.length + 1));
  const widening = normalQuantile(0.025) / normalQuantile(tail);
  return 2 * normalProbability(normalQuantile(share) * widening);
}
