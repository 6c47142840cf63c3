/** A baseline run against a candidate: every metric with its difference, the settings, the tasks, and one sentence. Pure. */
import type { Rate } from "@/server/domain/rate";
import { DEFAULT_SEED, RESAMPLES } from "@/server/stats/bootstrap";
import { CLUSTERED_FROM, designEffect } from "@/server/stats/design-effect";
import { MDE_FORMULA, minimumDetectable, neededPerArm } from "@/server/stats/mde";
import { wilson } from "@/server/stats/proportion";
import type { CompareAnswer, Detectable, MetricComparison, RunSide } from "./answer";
import { BEING_RESAMPLED, compareMetric, compareMetricExactly } from "./compare-metric";
import { configDiff, type RunConfig } from "./config-diff";
import { compareFamilies } from "./family-comparison";
import { compareNotes } from "./notes";
import { pairUp } from "./pairing";
import { type ComparedRollout, isFinished, METRICS, type Metric, passAt1Bounds, totalsByTask } from "./rollout-values";
import { taskMovement } from "./task-movement";
import { headlineSentence } from "./verdict";

/** One side of a comparison. */
export interface ComparedRun {
  id: string;
  name: string;
  /** All rollouts; those whose `effective` is false are left out. */
  rollouts: readonly ComparedRollout[];
  /** Planned rollouts without a record; null when the plan is not known. */
  missing: number | null;
  config: RunConfig;
}

/**
 * Rollouts, canary cycles with two transports, or anything else that has a task, an index and a verdict. Without a seed
 * nothing is resampled: what takes that is null, and the answer is `pending`.
 */
export function compareRuns(baseline: ComparedRun, candidate: ComparedRun, seed: number | null): CompareAnswer {
  const [a, b] = [counting(baseline), counting(candidate)];
  const pairing = pairUp(a, b);
  const metrics = METRICS.map((metric) =>
    seed === null ? compareMetricExactly(metric, a, b) : compareMetric(metric, a, b, pairing, seed),
  );
  const infra = metrics[0] as MetricComparison;
  const sides = { baseline: sideOf(baseline, a), candidate: sideOf(candidate, b) };
  const effect = Math.max(sides.baseline.designEffect ?? 1, sides.candidate.designEffect ?? 1);
  const detectable = detectableOf(infra, effect);
  const config = configDiff(baseline.config, candidate.config);
  const clustered = infra.unpaired?.naive != null && infra.unpaired.method !== infra.unpaired.naive.method;
  return {
    ...sides,
    verdict: infra.verdict,
    reason: infra.reason,
    sentence: headlineSentence({
      verdict: infra.reason === BEING_RESAMPLED.reason ? null : infra.verdict,
      baseline: rateOf(infra.baseline),
      candidate: rateOf(infra.candidate),
      estimate: infra.unpaired,
      clusteredBy: clustered ? effect : null,
      config,
      detectable,
    }),
    metrics,
    families: compareFamilies(a, b),
    pairs: pairing.summary,
    detectable,
    config,
    ...taskMovement(a, b),
    notes: compareNotes(sides, metrics, pairing.summary, config),
    seed: seed ?? DEFAULT_SEED,
    resamples: RESAMPLES,
    ...(seed === null ? { pending: true } : {}),
  };
}

function counting(run: ComparedRun): ComparedRollout[] {
  return run.rollouts.filter((rollout) => rollout.effective !== false);
}

function sideOf(run: ComparedRun, rollouts: readonly ComparedRollout[]): RunSide {
  const counts = [...totalsByTask(rollouts, METRICS[0] as Metric).values()].map(({ sum, n }) => ({ k: sum, n }));
  const finished = rollouts.filter(isFinished).length;
  const infraFailed = counts.reduce((sum, count) => sum + count.k, 0);
  return {
    id: run.id,
    name: run.name,
    rollouts: rollouts.length,
    finished,
    notScored: rollouts.filter((rollout) => rollout.verdict === "not_scored").length,
    missing: run.missing,
    lost: run.missing === null ? null : wilson(infraFailed + run.missing, finished + run.missing),
    passAt1Bounds: passAt1Bounds(rollouts),
    tasks: new Set(rollouts.map((rollout) => rollout.task)).size,
    designEffect: designEffect(counts),
  };
}

function rateOf(value: MetricComparison["baseline"]): Rate | null {
  return value !== null && "k" in value.value ? value.value : null;
}

function detectableOf(infra: MetricComparison, effect: number): Detectable | null {
  const [a, b] = [rateOf(infra.baseline), rateOf(infra.candidate)];
  if (a === null || b === null) return null;
  const designEffect = effect > CLUSTERED_FROM ? effect : 1;
  return {
    decrease: minimumDetectable(a.value, a.n, b.n, "decrease", { designEffect }),
    increase: minimumDetectable(a.value, a.n, b.n, "increase", { designEffect }),
    neededPerRun: neededPerArm(a.value, b.value, { designEffect }),
    designEffect,
    formula: MDE_FORMULA,
  };
}
