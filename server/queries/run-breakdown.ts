/** What a run lost: by class, by node against what was to be expected, by config, and over time. */

import { classInfo } from "@/server/classify/taxonomy";
import type { RunScope } from "@/server/derive/run-directory";
import type { ClassCount, ConfigShare, NodeShare, RunBreakdown, TimeBucket } from "@/server/domain/answers";
import type { RolloutDim, Store } from "@/server/domain/store";
import { groupWaste } from "@/server/stats/group-waste";
import { configOfRun } from "./config-of-run";
import type { BareFleetTest } from "./heavy-nodes";
import { iso } from "./iso";
import { type Memo, memoOf } from "./memo";
import { nodeTest } from "./node-test";
import { patienceOf } from "./patience";
import { readDirectory, requireRun } from "./run-directory";
import { CONFIG_DIMS, runNumbers } from "./run-numbers";
import { PATIENCE_MS } from "./run-summary";
import { emptyTally, infraRate, tallyBy } from "./tally";
import { bucketStarts, bucketWidth } from "./timeline";

const NODE_DIMS: RolloutDim[] = ["node", "verdict", "family"];
const GROUP_DIMS: RolloutDim[] = ["task", "verdict", "family"];
const TIME_DIMS: RolloutDim[] = ["bucket", "verdict", "family"];

/** Throws `not_found`. */
export async function runBreakdown(store: Store, input: { run: string }): Promise<RunBreakdown> {
  const { scope } = await requireRun(store, input.run);
  const key = `run-breakdown ${JSON.stringify([scope.labels, scope.settings?.config ?? {}])}`;
  const memo = await memoOf(store, { runs: scope.labels });
  const patience = patienceOf(PATIENCE_MS);
  const tested = nodeTest(memo, await readDirectory(store), { runs: scope.labels });
  tested.catch(() => undefined);
  const known = await memo.once(key, async (strict) => ({
    classes: await classesOf(store, scope.labels),
    nodes: await nodesOf(store, scope.labels),
    configs: await configsOf(strict, scope),
    timeline: await timelineOf(store, scope.labels),
    groups: await groupsOf(store, scope.labels),
  }));
  const fleet = await patience.wait(tested);
  return { ...known, nodes: withExpected(known.nodes, fleet), ...(fleet === null ? { pending: true } : {}) };
}

/** Classes by incidents, with the rollouts whose end each explains; rollouts lost without a class under class null. */
async function classesOf(store: Store, runs: string[]): Promise<ClassCount[]> {
  const incidents = await store.countIncidents({ runs }, ["class"], { hits: false });
  const ended = await store.countRollouts({ runs, verdicts: ["infra_failed", "failed", "not_scored"] }, [
    "class",
    "verdict",
  ]);
  const byClass = new Map<string | null, ClassCount>();
  for (const row of incidents) {
    const id = row.key[0] ?? null;
    const { incidents: n, fatal, absorbed, teardown, unknown } = row;
    byClass.set(id, { ...blankClass(id), incidents: n, fatal, absorbed, teardown, unknown });
  }
  for (const row of ended) {
    const id = row.key[0] ?? null;
    if (id === null && row.key[1] !== "infra_failed") continue;
    const known = byClass.get(id) ?? blankClass(id);
    byClass.set(id, { ...known, rollouts: known.rollouts + row.n });
  }
  return [...byClass.values()].sort(
    (a, b) => b.rollouts - a.rollouts || b.fatal - a.fatal || b.incidents - a.incidents,
  );
}

function blankClass(id: string | null): ClassCount {
  const info = id === null ? null : classInfo(id);
  const counts = { incidents: 0, fatal: 0, absorbed: 0, teardown: 0, unknown: 0, rollouts: 0 };
  return {
    class: id,
    family: info?.family ?? null,
    title: info?.title ?? "No class",
    owner: info?.owner ?? null,
    ...counts,
  };
}

async function nodesOf(store: Store, runs: string[]): Promise<NodeShare[]> {
  const rows = await store.countRollouts({ runs }, NODE_DIMS);
  return [...tallyBy(rows, NODE_DIMS, "node")].map(([node, tally]) => ({
    node,
    rollouts: tally.rollouts,
    infraFailed: infraRate(tally),
    byFamily: tally.byFamily,
    expected: null,
  }));
}

/** Worst first. */
function withExpected(shares: readonly NodeShare[], fleet: BareFleetTest | null): NodeShare[] {
  const tests = new Map((fleet?.nodes ?? []).map((one) => [one.node, one]));
  return shares
    .map((share) => ({ ...share, expected: (share.node === null ? null : tests.get(share.node)?.expected) ?? null }))
    .sort((a, b) => excess(b) - excess(a) || b.rollouts - a.rollouts);
}

/** Lower bound of the failures beyond those expected: 1 of 1 is not the worst node (statistics.md §2). */
function excess(share: NodeShare): number {
  if (share.node === null) return Number.NEGATIVE_INFINITY;
  return (share.infraFailed?.low ?? 0) * (share.infraFailed?.n ?? 0) - (share.expected ?? 0);
}

async function configsOf(memo: Memo, scope: RunScope): Promise<ConfigShare[]> {
  const { configs } = await runNumbers(memo, scope.labels);
  const config = await configOfRun(memo, scope, configs);
  return [...tallyBy(configs, CONFIG_DIMS, "configKey")]
    .map(([configKey, tally]) => ({
      configKey,
      differs: config.differs(configKey),
      rollouts: tally.rollouts,
      infraFailed: infraRate(tally),
      byFamily: tally.byFamily,
    }))
    .sort((a, b) => b.rollouts - a.rollouts);
}

/** A task's rollouts are compared with each other in training; null where tasks have one rollout each. */
async function groupsOf(store: Store, runs: string[]): Promise<RunBreakdown["groups"]> {
  const groups = tallyBy(await store.countRollouts({ runs }, GROUP_DIMS), GROUP_DIMS, "task");
  const waste = groupWaste([...groups.values()].map((one) => ({ size: one.finished, lost: one.infraFailed })));
  return waste === null || waste.size < 2 ? null : waste;
}

async function timelineOf(store: Store, runs: string[]): Promise<RunBreakdown["timeline"]> {
  const width = await widthOf(store, runs);
  const tallies = tallyBy(await store.countRollouts({ runs }, TIME_DIMS, { bucketMs: width }), TIME_DIMS, "bucket");
  const starts = [...tallies.keys()].filter((at) => at !== null).map(Number);
  const buckets: TimeBucket[] = [];
  if (starts.length > 0) {
    for (const at of bucketStarts(Math.min(...starts), Math.max(...starts), width)) {
      const tally = tallies.get(String(at)) ?? emptyTally();
      buckets.push({ at: iso(at), well: tally.rollouts - tally.infraFailed, byFamily: tally.byFamily });
    }
  }
  return { bucketMs: width, buckets, withoutTime: tallies.get(null)?.rollouts ?? 0 };
}

/** Learns the run's length by day, then by hour, then by minute, so that no step reads more buckets than it must. */
async function widthOf(store: Store, runs: string[]): Promise<number> {
  for (const bucketMs of [86_400_000, 3_600_000]) {
    const [first, last] = await bucketSpan(store, runs, bucketMs);
    if (first === null || last === null) return bucketMs;
    if (bucketWidth(first, last + bucketMs - 1) >= bucketMs) return bucketWidth(first, last);
  }
  const [first, last] = await bucketSpan(store, runs, 60_000);
  return bucketWidth(first ?? 0, last ?? 0);
}

async function bucketSpan(store: Store, runs: string[], bucketMs: number): Promise<[number | null, number | null]> {
  const rows = await store.countRollouts({ runs }, ["bucket"], { bucketMs });
  const starts = rows.flatMap((row) => (row.key[0] == null ? [] : [Number(row.key[0])])).sort((a, b) => a - b);
  return [starts[0] ?? null, starts.at(-1) ?? null];
}
