/** Every node: rollouts that ran there, how many infrastructure ended, how many were to be expected. */

import { classInfo } from "@/server/classify/taxonomy";
import type { NodeAnswer } from "@/server/domain/answers";
import type { JudgedNode, JudgedNodes } from "@/server/domain/node-judged";
import type { IncidentCount, Page, RolloutCount, RolloutFilter, Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import type { NodeTest } from "@/server/stats/node-outliers";
import { iso } from "./iso";
import { type Memo, memoOf } from "./memo";
import { judgementOf, NODE_TEST_DIMS, nodeCounts, nodeTest } from "./node-test";
import { defaultOrigins } from "./origins";
import { pageSorted } from "./paging";
import { labelsFor, type RunDirectory, readDirectory } from "./run-directory";
import { dimOf, emptyTally, infraRate, tallyBy } from "./tally";

export interface NodesInput {
  runs?: string[];
  origins?: Origin[];
  from?: number;
  to?: number;
  page: Page;
}

const HOUR_MS = 3_600_000;
/** Rank of a node that no rollout ran on: below all others. */
const UNTESTED = -1e9;
/** Hours of the heatmap: the newest week of what was asked for. */
const MOST_HOURS = 168;

/** Ranked by the lower bound of failures beyond those expected; nodes that no rollout ran on last. */
export async function nodes(store: Store, input: NodesInput): Promise<JudgedNodes> {
  const directory = await readDirectory(store);
  const runs = labelsFor(directory, input.runs);
  const origins = input.origins ?? (runs ? undefined : await defaultOrigins(store));
  const filter: RolloutFilter = { runs, origins, from: input.from, to: input.to };
  const memo = await memoOf(store, { mayBeOld: runs === undefined });
  const aliases = directory.settings.map((one) => [one.id, one.aliases]);
  return memo.once(`nodes ${JSON.stringify([filter, input.page, aliases])}`, (strict) =>
    answer(strict, directory, filter, input.page),
  );
}

async function answer(memo: Memo, directory: RunDirectory, filter: RolloutFilter, wanted: Page): Promise<JudgedNodes> {
  const { store } = memo;
  const rows = await nodeCounts(memo, filter);
  const incidents = await store.countIncidents(filter, ["node", "class"]);
  const known = filter.runs ? [] : await store.nodes({ origins: filter.origins });
  const fleet = await nodeTest(memo, directory, filter);
  const tests = new Map(fleet.nodes.map((one) => [one.node, one]));
  const all = answers({ rows, incidents, known, directory, tests });
  const page = pageSorted(all, ({ node }) => [tests.get(node)?.excess ?? UNTESTED, node], wanted);
  const hours = await hoursOf(store, { ...filter, nodes: page.items.map((node) => node.node) });
  const items: JudgedNode[] = [];
  for (const node of page.items) {
    const newest = node.rollouts > 0 ? await lastAt(store, { ...filter, nodes: [node.node] }) : null;
    items.push({ ...node, lastAt: newest, hours: hours.get(node.node) ?? [] });
  }
  return { items, next: page.next, fleetWide: fleet.fleetWide, sentence: fleet.sentence };
}

interface Known {
  rows: readonly RolloutCount[];
  incidents: readonly IncidentCount[];
  /** Nodes that any evidence names. */
  known: readonly string[];
  directory: RunDirectory;
  tests: ReadonlyMap<string, NodeTest>;
}

function answers({ rows, incidents, known, directory, tests }: Known): JudgedNode[] {
  const tallies = tallyBy(rows, NODE_TEST_DIMS, "node");
  const runs = runsByNode(rows, directory);
  const counted = incidentsByNode(incidents);
  const names = new Set([...tallies.keys(), ...counted.keys(), ...known].filter((name) => name !== null));
  return [...names].map((node) => {
    const tally = tallies.get(node) ?? emptyTally();
    return {
      node,
      rollouts: tally.rollouts,
      infraFailed: infraRate(tally),
      expected: tests.get(node)?.expected ?? null,
      byFamily: tally.byFamily,
      incidents: counted.get(node)?.incidents ?? 0,
      absorbed: counted.get(node)?.absorbed ?? 0,
      runs: runs.get(node)?.size ?? 0,
      lastAt: null,
      hours: [],
      ...judgementOf(tests.get(node)),
    };
  });
}

function runsByNode(rows: readonly RolloutCount[], directory: RunDirectory): Map<string | null, Set<string>> {
  const runs = new Map<string | null, Set<string>>();
  for (const row of rows) {
    const node = dimOf(row, NODE_TEST_DIMS, "node");
    const run = dimOf(row, NODE_TEST_DIMS, "run");
    if (run !== null) runs.set(node, (runs.get(node) ?? new Set()).add(directory.ownerOf(run)));
  }
  return runs;
}

/** Incidents of all families but `none`; what the agent did itself is not the node's. */
function incidentsByNode(rows: readonly IncidentCount[]): Map<string | null, { incidents: number; absorbed: number }> {
  const counted = new Map<string | null, { incidents: number; absorbed: number }>();
  for (const row of rows) {
    const [node = null, id] = row.key;
    if (id && classInfo(id).family === "none") continue;
    const known = counted.get(node) ?? { incidents: 0, absorbed: 0 };
    counted.set(node, { incidents: known.incidents + row.incidents, absorbed: known.absorbed + row.absorbed });
  }
  return counted;
}

async function lastAt(store: Store, filter: RolloutFilter): Promise<string | null> {
  const newest = await store.listRollouts(filter, { limit: 1, cursor: null });
  return iso(newest.items[0]?.at ?? null);
}

async function hoursOf(store: Store, filter: RolloutFilter): Promise<Map<string, NodeAnswer["hours"]>> {
  const rows = filter.nodes?.length ? await store.countRollouts(filter, ["node", "bucket"], { bucketMs: HOUR_MS }) : [];
  const timed = rows.flatMap((row) =>
    row.key[0] == null || row.key[1] == null ? [] : [{ row, at: Number(row.key[1]) }],
  );
  const newest = timed.reduce((latest, { at }) => Math.max(latest, at), 0);
  const hours = new Map<string, NodeAnswer["hours"]>();
  for (const { row, at } of timed.sort((a, b) => a.at - b.at)) {
    if (at <= newest - MOST_HOURS * HOUR_MS) continue;
    const node = row.key[0] ?? "";
    hours.set(node, [...(hours.get(node) ?? []), { at: iso(at), rollouts: row.n, infraFailed: row.infraFailed }]);
  }
  return hours;
}
