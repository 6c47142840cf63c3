/** What one rollout counts for in each metric, and the totals of tasks. */
import type { Family, Verdict } from "@/server/domain/taxonomy-words";
import type { MeanKind, TaskTotal } from "@/server/stats/bootstrap";
import type { MetricId } from "./answer";

/** What a comparison reads of a rollout; a rollout row has it all. */
export interface ComparedRollout {
  task: string;
  index: number;
  verdict: Verdict;
  family: Family | null;
  reward: number | null;
  /** False for attempts that do not count; default true. */
  effective?: boolean;
}

export interface Metric {
  id: MetricId;
  title: string;
  better: "lower" | "higher";
  kind: MeanKind;
  /** Yes or no for each rollout: a rate, or pairs that can disagree. */
  binary: boolean;
  /** null: the rollout is not in this metric's denominator. */
  valueOf(rollout: ComparedRollout): number | null;
}

const FINISHED: readonly Verdict[] = ["passed", "failed", "infra_failed", "not_scored"];

export function isFinished(rollout: ComparedRollout): boolean {
  return FINISHED.includes(rollout.verdict);
}

/** As the producer counts: a rollout that infrastructure ended did not pass; one without a score is not there. */
function passValue({ verdict }: ComparedRollout): number | null {
  if (verdict === "not_scored" || verdict === "missing") return null;
  return verdict === "passed" ? 1 : 0;
}

/** Infra rate first: it is the headline. */
export const METRICS: readonly Metric[] = [
  {
    id: "infraRate",
    title: "Rollouts lost to infrastructure",
    better: "lower",
    kind: "meanOverRollouts",
    binary: true,
    valueOf: (rollout) => (isFinished(rollout) ? Number(rollout.verdict === "infra_failed") : null),
  },
  {
    id: "passAt1",
    title: "pass@1, as reported",
    better: "higher",
    kind: "meanOfTaskMeans",
    binary: true,
    valueOf: passValue,
  },
  {
    id: "passAt1InfraExcluded",
    title: "pass@1, infra excluded",
    better: "higher",
    kind: "meanOfTaskMeans",
    binary: true,
    valueOf: (rollout) => (rollout.verdict === "infra_failed" ? null : passValue(rollout)),
  },
  {
    id: "meanReward",
    title: "Mean reward, as reported",
    better: "higher",
    kind: "meanOverRollouts",
    binary: false,
    valueOf: (rollout) => rollout.reward,
  },
  {
    id: "meanRewardInfraExcluded",
    title: "Mean reward, infra excluded",
    better: "higher",
    kind: "meanOverRollouts",
    binary: false,
    valueOf: (rollout) => (rollout.verdict === "infra_failed" ? null : rollout.reward),
  },
];

/** Sum and number of a metric's values per task; tasks without a value are left out. */
export function totalsByTask(rollouts: readonly ComparedRollout[], metric: Metric): Map<string, TaskTotal> {
  const totals = new Map<string, TaskTotal>();
  for (const rollout of rollouts) {
    const value = metric.valueOf(rollout);
    if (value === null) continue;
    const total = totals.get(rollout.task) ?? { sum: 0, n: 0 };
    totals.set(rollout.task, total);
    total.sum += value;
    total.n += 1;
  }
  return totals;
}

/** pass@1 with every rollout lost to infrastructure counted as failed, and as passed; null without a scored rollout. */
export function passAt1Bounds(rollouts: readonly ComparedRollout[]): [number, number] | null {
  const byTask = new Map<string, { passed: number; lost: number; n: number }>();
  for (const rollout of rollouts) {
    const value = passValue(rollout);
    if (value === null) continue;
    const task = byTask.get(rollout.task) ?? { passed: 0, lost: 0, n: 0 };
    byTask.set(rollout.task, task);
    task.passed += value;
    task.lost += Number(rollout.verdict === "infra_failed");
    task.n += 1;
  }
  const tasks = [...byTask.values()];
  if (tasks.length === 0) return null;
  const mean = (of: (task: { passed: number; lost: number; n: number }) => number): number =>
    tasks.reduce((sum, task) => sum + of(task), 0) / tasks.length;
  return [mean((task) => task.passed / task.n), mean((task) => (task.passed + task.lost) / task.n)];
}
