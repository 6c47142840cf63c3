/** One metric in two runs: both values with intervals, their difference unpaired and paired, and what follows from it. */
import { bootstrapOverTasks, FEWEST_TASKS, plainMean, type TaskTotal } from "@/server/stats/bootstrap";
import { resampledDifference } from "@/server/stats/bootstrap-difference";
import { CLUSTERED_FROM, clusteredRate, designEffect } from "@/server/stats/design-effect";
import { type Count, combineIntervals, fisherExact, newcombe } from "@/server/stats/difference";
import { mcnemarExact, pairedDifference } from "@/server/stats/paired";
import { wilson } from "@/server/stats/proportion";
import type { Estimate, Judged, MetricComparison, MetricValue, PairedEstimate, UnpairedEstimate } from "./answer";
import { type PairedValues, type Pairing, pairedValues } from "./pairing";
import { type ComparedRollout, type Metric, totalsByTask } from "./rollout-values";
import { headlineVerdict, metricVerdict } from "./verdict";

type Totals = Map<string, TaskTotal>;

export function compareMetric(
  metric: Metric,
  baseline: readonly ComparedRollout[],
  candidate: readonly ComparedRollout[],
  pairing: Pairing,
  seed: number,
): MetricComparison {
  const [a, b] = [totalsByTask(baseline, metric), totalsByTask(candidate, metric)];
  const unpaired = unpairedEstimate(metric, a, b, seed);
  const values = pairedValues(pairing, metric);
  const paired = values && pairedEstimate(metric, values, seed);
  const headline = metric.id === "infraRate";
  const onPairs = !headline && paired !== null && pairing.summary.enough;
  const decidedBy = onPairs ? "paired" : "unpaired";
  return {
    id: metric.id,
    title: metric.title,
    better: metric.better,
    baseline: metricValue(metric, a, seed),
    candidate: metricValue(metric, b, seed),
    unpaired,
    paired,
    decidedBy,
    ...(headline ? headlineVerdict(unpaired) : metricVerdict(onPairs ? paired : unpaired, onPairs && allAgree(values))),
  };
}

/** Said of what takes resampling, until that is done. */
export const BEING_RESAMPLED: Judged = {
  verdict: "too_little_data",
  reason: "Tasks are being resampled for the interval: ask again.",
};

/** What can be said of a metric without resampling: both values, and the infra rate's difference where no task weighs on it. */
export function compareMetricExactly(
  metric: Metric,
  baseline: readonly ComparedRollout[],
  candidate: readonly ComparedRollout[],
): MetricComparison {
  const [a, b] = [totalsByTask(baseline, metric), totalsByTask(candidate, metric)];
  const naive =
    metric.id === "infraRate" && (sharedDesignEffect(a, b) ?? 1) <= CLUSTERED_FROM ? naiveEstimate(a, b) : null;
  return {
    id: metric.id,
    title: metric.title,
    better: metric.better,
    baseline: exactValue(metric, a),
    candidate: exactValue(metric, b),
    unpaired: naive && { ...naive, naive },
    paired: null,
    decidedBy: "unpaired",
    ...(naive === null ? BEING_RESAMPLED : headlineVerdict(naive)),
  };
}

function exactValue(metric: Metric, totals: Totals): MetricValue | null {
  if (metric.id === "infraRate") {
    const { k, n } = total(totals);
    const rate = wilson(k, n);
    return rate && { value: rate, method: "wilson", naive: { low: rate.low, high: rate.high } };
  }
  const mean = plainMean([...totals.values()], metric.kind);
  return mean && { value: mean, method: "the interval is being resampled", naive: null };
}

function metricValue(metric: Metric, totals: Totals, seed: number): MetricValue | null {
  if (metric.id === "infraRate") {
    const rate = clusteredRate(countsOf(totals), seed);
    return rate && { value: rate.rate, method: rate.method, naive: rate.naive };
  }
  const mean = bootstrapOverTasks([...totals.values()], metric.kind, seed);
  return mean && { value: mean, method: "bootstrap over tasks", naive: null };
}

function countsOf(totals: Totals): Count[] {
  return [...totals.values()].map(({ sum, n }) => ({ k: sum, n }));
}

/** The larger design effect of the two runs; null when neither shows one. */
export function sharedDesignEffect(a: Totals, b: Totals): number | null {
  const effects = [designEffect(countsOf(a)), designEffect(countsOf(b))].filter((effect) => effect !== null);
  return effects.length === 0 ? null : Math.max(...effects);
}

function unpairedEstimate(metric: Metric, a: Totals, b: Totals, seed: number): UnpairedEstimate | null {
  const naive = metric.id === "infraRate" ? naiveEstimate(a, b) : null;
  if (naive !== null && (sharedDesignEffect(a, b) ?? 1) <= CLUSTERED_FROM) return { ...naive, naive };
  const tasks = [...new Set([...a.keys(), ...b.keys()])].sort().map((task) => ({
    a: (metric.better === "lower" ? a : b).get(task) ?? null,
    b: (metric.better === "lower" ? b : a).get(task) ?? null,
  }));
  const resampled = resampledDifference(tasks, metric.kind, seed);
  if (resampled === null) return null;
  if (resampled.low === null && naive !== null) return { ...fewTasksEstimate(a, b, seed, naive), naive };
  const { value, low, high, p } = resampled;
  return { difference: value, low, high, p, method: "bootstrap over tasks", naive };
}

/** Takes every rollout for independent. */
function naiveEstimate(a: Totals, b: Totals): Estimate | null {
  const [first, second] = [total(a), total(b)];
  const difference = newcombe(first, second);
  if (difference === null) return null;
  const { value, low, high } = difference;
  return { difference: value, low, high, p: fisherExact(first, second), method: "Newcombe hybrid score, Fisher exact" };
}

/** Tasks too few to resample: Newcombe's step on intervals that the design effect has widened. */
function fewTasksEstimate(a: Totals, b: Totals, seed: number, naive: Estimate): Estimate {
  const [first, second] = [clusteredRate(countsOf(a), seed), clusteredRate(countsOf(b), seed)];
  if (first === null || second === null) return naive;
  const { value, low, high } = combineIntervals(first.rate, second.rate);
  return { difference: value, low, high, p: null, method: "Newcombe hybrid score at the effective size" };
}

function total(totals: Totals): Count {
  let [k, n] = [0, 0];
  for (const task of totals.values()) {
    k += task.sum;
    n += task.n;
  }
  return { k, n };
}

/** Enough tasks to tell, and not one pair that differs. */
function allAgree(values: PairedValues | null): boolean {
  return values !== null && values.b + values.c === 0 && values.tasks.length >= FEWEST_TASKS;
}

function pairedEstimate(metric: Metric, values: PairedValues, seed: number): PairedEstimate | null {
  const swap = metric.better === "higher";
  const tasks = values.tasks.map(({ n, sumA, sumB }) => (swap ? { n, sumA: sumB, sumB: sumA } : { n, sumA, sumB }));
  const resampled = pairedDifference(tasks, metric.kind, seed);
  if (resampled === null) return null;
  const headline = metric.id === "infraRate";
  return {
    difference: resampled.value,
    low: resampled.low,
    high: resampled.high,
    p: headline ? mcnemarExact(values.b, values.c) : resampled.p,
    method: headline ? "bootstrap over tasks, McNemar exact" : "bootstrap over tasks of the paired difference",
    pairs: values.pairs,
    tasks: values.tasks.length,
    baseline: values.baseline,
    candidate: values.candidate,
    discordant: metric.binary ? { b: values.b, c: values.c } : null,
  };
}
