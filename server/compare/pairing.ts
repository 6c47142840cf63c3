/** Pairs of rollouts: the same task and index in both runs; where indexes are made of names, the same task and place in their order. */
import { NAMED_INDEX_FROM } from "@/server/domain/rollout";
import type { PairsOfTask } from "@/server/stats/paired";
import type { Pairs } from "./answer";
import { type ComparedRollout, isFinished, type Metric } from "./rollout-values";

export interface Pairing {
  pairs: { baseline: ComparedRollout; candidate: ComparedRollout }[];
  summary: Pairs;
}

/** Pairs finished rollouts. A key that occurs twice in a run pairs with nothing: which attempt is meant cannot be told. */
export function pairUp(baseline: readonly ComparedRollout[], candidate: readonly ComparedRollout[]): Pairing {
  const a = byKey(baseline.filter(isFinished));
  const b = byKey(candidate.filter(isFinished));
  const pairs: Pairing["pairs"] = [];
  const [restA, restB] = [new Map(a.single), new Map(b.single)];
  for (const [key, rollout] of a.single) {
    const partner = b.single.get(key);
    if (!partner) continue;
    pairs.push({ baseline: rollout, candidate: partner });
    restA.delete(key);
    restB.delete(key);
  }
  pairs.push(...pairsOfNamed([...restA.values()], [...restB.values()]));
  const smaller = Math.min(a.total, b.total);
  return {
    pairs,
    summary: {
      shared: pairs.length,
      baselineOnly: a.total - pairs.length,
      candidateOnly: b.total - pairs.length,
      ambiguous: a.ambiguous + b.ambiguous,
      tasks: new Set(pairs.map((pair) => pair.baseline.task)).size,
      enough: smaller > 0 && pairs.length * 2 >= smaller,
    },
  };
}

/** Repeats of a task are alike, so any pairing of them will do; that by order is the same each time. */
function pairsOfNamed(baseline: readonly ComparedRollout[], candidate: readonly ComparedRollout[]): Pairing["pairs"] {
  const partners = namedByTask(candidate);
  return [...namedByTask(baseline)].flatMap(([task, rollouts]) => {
    const others = partners.get(task) ?? [];
    return rollouts.flatMap((one, i) => (others[i] ? [{ baseline: one, candidate: others[i] }] : []));
  });
}

function namedByTask(rollouts: readonly ComparedRollout[]): Map<string, ComparedRollout[]> {
  const tasks = new Map<string, ComparedRollout[]>();
  for (const rollout of rollouts.filter(({ index }) => index >= NAMED_INDEX_FROM)) {
    const known = tasks.get(rollout.task);
    if (known) known.push(rollout);
    else tasks.set(rollout.task, [rollout]);
  }
  for (const list of tasks.values()) list.sort((a, b) => a.index - b.index);
  return tasks;
}

function byKey(rollouts: readonly ComparedRollout[]) {
  const single = new Map<string, ComparedRollout>();
  const repeated = new Set<string>();
  for (const rollout of rollouts) {
    const key = JSON.stringify([rollout.task, rollout.index]);
    if (single.has(key)) repeated.add(key);
    else single.set(key, rollout);
  }
  for (const key of repeated) single.delete(key);
  return { single, total: rollouts.length, ambiguous: rollouts.length - single.size };
}

/** A metric over the pairs that have it on both sides. */
export interface PairedValues {
  pairs: number;
  tasks: PairsOfTask[];
  baseline: number;
  candidate: number;
  /** Pairs in which the baseline's value is larger, and the candidate's: of yes-or-no values, yes on that side only. */
  b: number;
  c: number;
}

/** `sumA` is the baseline's, `sumB` the candidate's; null when no pair has the metric. */
export function pairedValues(pairing: Pairing, metric: Metric): PairedValues | null {
  const tasks = new Map<string, PairsOfTask>();
  const found = { pairs: 0, baseline: 0, candidate: 0, b: 0, c: 0 };
  for (const pair of pairing.pairs) {
    const [a, b] = [metric.valueOf(pair.baseline), metric.valueOf(pair.candidate)];
    if (a === null || b === null) continue;
    const task = tasks.get(pair.baseline.task) ?? { n: 0, sumA: 0, sumB: 0 };
    tasks.set(pair.baseline.task, task);
    task.n += 1;
    task.sumA += a;
    task.sumB += b;
    found.pairs += 1;
    found.b += Number(a > b);
    found.c += Number(b > a);
  }
  if (found.pairs === 0) return null;
  const list = [...tasks.values()];
  return { ...found, tasks: list, baseline: meanOf(list, "sumA", metric), candidate: meanOf(list, "sumB", metric) };
}

function meanOf(tasks: readonly PairsOfTask[], side: "sumA" | "sumB", metric: Metric): number {
  if (metric.kind === "meanOfTaskMeans")
    return tasks.reduce((sum, task) => sum + task[side] / task.n, 0) / tasks.length;
  return tasks.reduce((sum, task) => sum + task[side], 0) / tasks.reduce((sum, task) => sum + task.n, 0);
}
