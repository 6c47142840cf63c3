/** Bootstrap over tasks of the difference of two runs' means, for rollouts that need not pair. */
import { FEWEST_TASKS, type MeanKind, quantile, RESAMPLES, type TaskTotal } from "./bootstrap";
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
  /** Two-sided: twice the share of resamples on the far side of 0, at least 1 in 5 000; null without an interval. */
  p: number | null;
}

/** Sums and weights of a stratum of tasks: those in both runs, only in the first, or only in the second. */
interface Stratum {
  sumA: Float64Array;
  weightA: Float64Array;
  sumB: Float64Array;
  weightB: Float64Array;
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
    .map((members) => stratumOf(members, kind));
  const value = observed(strata);
  if (Math.min(inA.length, inB.length) < FEWEST_TASKS) return { value, low: null, high: null, p: null };
  const differences = resample(strata, seed).sort();
  if (differences[0] === differences[RESAMPLES - 1]) return { value, low: null, high: null, p: null };
  return { value, low: quantile(differences, 0.025), high: quantile(differences, 0.975), p: twoSided(differences) };
}

function weightOf(total: TaskTotal | null): number {
  return total?.n ?? 0;
}

function stratumOf(tasks: readonly TaskInBoth[], kind: MeanKind): Stratum {
  const sum = (total: TaskTotal | null): number => {
    if (total === null || total.n === 0) return 0;
    return kind === "meanOfTaskMeans" ? total.sum / total.n : total.sum;
  };
  const weight = (total: TaskTotal | null): number =>
    kind === "meanOfTaskMeans" ? Math.min(1, weightOf(total)) : weightOf(total);
  return {
    sumA: Float64Array.from(tasks, (task) => sum(task.a)),
    weightA: Float64Array.from(tasks, (task) => weight(task.a)),
    sumB: Float64Array.from(tasks, (task) => sum(task.b)),
    weightB: Float64Array.from(tasks, (task) => weight(task.b)),
  };
}

function observed(strata: readonly Stratum[]): number {
  const total = (pick: (stratum: Stratum) => Float64Array): number =>
    strata.reduce((sum, stratum) => sum + pick(stratum).reduce((acc, x) => acc + x, 0), 0);
  return total((s) => s.sumA) / total((s) => s.weightA) - total((s) => s.sumB) / total((s) => s.weightB);
}

function resample(strata: readonly Stratum[], seed: number): Float64Array {
  const random = new SeededRandom(seed);
  const picks = strata.map((stratum) => new Int32Array(stratum.sumA.length));
  const differences = new Float64Array(RESAMPLES);
  for (let r = 0; r < RESAMPLES; r++) {
    let [sumA, weightA, sumB, weightB] = [0, 0, 0, 0];
    for (let s = 0; s < strata.length; s++) {
      const stratum = strata[s] as Stratum;
      const drawn = picks[s] as Int32Array;
      random.fillIndices(drawn, drawn.length);
      for (let i = 0; i < drawn.length; i++) {
        const pick = drawn[i] as number;
        sumA += stratum.sumA[pick] as number;
        weightA += stratum.weightA[pick] as number;
        sumB += stratum.sumB[pick] as number;
        weightB += stratum.weightB[pick] as number;
      }
    }
    differences[r] = sumA / weightA - sumB / weightB;
  }
  return differences;
}

function twoSided(sorted: Float64Array): number {
  let [below, above] = [0, 0];
  for (const difference of sorted) {
    if (difference <= 0) below++;
    if (difference >= 0) above++;
  }
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (sorted.length + 1));
}
