/** Every node: rollouts that ran there, how many infrastructure ended, how many were to be expected. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { NodeAnswer } from "@/server/domain/answers";
import type { JudgedNodes } from "@/server/domain/node-judged";
import type { IncidentCount, Page, RolloutCount, RolloutDim, RolloutFilter, Store } from "@/server/domain/store";
import { FAMILIES, type Origin } from "@/server/domain/taxonomy-words";
import { iso } from "./iso";
import { memoOf } from "./memo";
import { judgementOf, nodeTest } from "./node-test";
import { defaultOrigins } from "./origins";
import { pageSorted } from "./paging";
import { patienceOf } from "./patience";
import { labelsFor, readDirectory } from "./run-directory";
import { PATIENCE_MS } from "./run-summary";
import { emptyTally, infraRate, tallyBy } from "./tally";

export interface NodesInput {
  runs?: string[];
  origins?: Origin[];
  from?: number;
  to?: number;
  page: Page;
}

/** What the agent did itself is not the node's. */
const INFRA = FAMILIES.filter((family) => family !== "none");
const FAMILY_DIMS: RolloutDim[] = ["node", "verdict", "family"];
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
  const memo = await memoOf(store, { mayBeOld: runs === undefined, runs });
  const patience = patienceOf(PATIENCE_MS);
  const tested = nodeTest(memo, directory, filter);
  tested.catch(() => undefined);
  const aliases = directory.settings.map((one) => [one.id, one.aliases]);
  const all = await memo.once(`nodes ${JSON.stringify([filter, aliases])}`, () => counted(store, directory, filter));
  const fleet = await patience.wait(tested);
  const tests = new Map((fleet?.nodes ?? []).map((one) => [one.node, one]));
  const page = pageSorted(all, ({ node }) => [tests.get(node)?.excess ?? UNTESTED, node], input.page);
  const items = page.items.map((node) => ({
    ...node,
    expected: tests.get(node.node)?.expected ?? null,
    ...judgementOf(tests.get(node.node)),
  }));
  const said = { fleetWide: fleet?.fleetWide ?? false, sentence: fleet?.sentence ?? "The nodes are being tested." };
  return { items, next: page.next, ...said, ...(fleet === null ? { pending: true } : {}) };
}

/** Every node in numbers, before it is judged. */
async function counted(store: Store, directory: RunDirectory, filter: RolloutFilter): Promise<NodeAnswer[]> {
  const [rows, runRows, incidents, known, hours] = await Promise.all([
    store.countRollouts(filter, FAMILY_DIMS),
    store.countRollouts(filter, ["node", "run"]),
    store.countIncidents({ ...filter, families: INFRA }, ["node"], { hits: false }),
    filter.runs ? [] : store.nodes({ origins: filter.origins }),
    hoursOf(store, filter),
  ]);
  const tallies = tallyBy(rows, FAMILY_DIMS, "node");
  const runs = runsByNode(runRows, directory);
  const perNode = incidentsByNode(incidents);
  const names = [...new Set([...tallies.keys(), ...perNode.keys(), ...known])].filter((name) => name !== null);
  return Promise.all(
    names.map(async (node) => {
      const tally = tallies.get(node) ?? emptyTally();
      return {
        node,
        rollouts: tally.rollouts,
        infraFailed: infraRate(tally),
        expected: null,
        byFamily: tally.byFamily,
        incidents: perNode.get(node)?.incidents ?? 0,
        absorbed: perNode.get(node)?.absorbed ?? 0,
        runs: runs.get(node)?.size ?? 0,
        lastAt: tally.rollouts > 0 ? await lastAt(store, { ...filter, nodes: [node] }) : null,
        hours: hours.get(node) ?? [],
      };
    }),
  );
}

/** `rows` are counted by node and run. */
function runsByNode(rows: readonly RolloutCount[], directory: RunDirectory): Map<string | null, Set<string>> {
  const runs = new Map<string | null, Set<string>>();
  for (const { key } of rows) {
    const [node = null, run] = key;
    if (run != null) runs.set(node, (runs.get(node) ?? new Set()).add(directory.ownerOf(run)));
  }
  return runs;
}

/** `rows` are counted by node. */
function incidentsByNode(rows: readonly IncidentCount[]): Map<string | null, { incidents: number; absorbed: number }> {
  const counted = new Map<string | null, { incidents: number; absorbed: number }>();
  for (const row of rows) {
    counted.set(row.key[0] ?? null, { incidents: row.incidents, absorbed: row.absorbed });
  }
  return counted;
}

async function lastAt(store: Store, filter: RolloutFilter): Promise<string | null> {
  const newest = await store.listRollouts(filter, { limit: 1, cursor: null });
  return iso(newest.items[0]?.at ?? null);
}

/** The newest week of the filter. */
async function hoursOf(store: Store, filter: RolloutFilter): Promise<Map<string, NodeAnswer["hours"]>> {
  const newest = (await store.listRollouts(filter, { limit: 1, cursor: null })).items[0]?.at ?? null;
  const hours = new Map<string, NodeAnswer["hours"]>();
  if (newest === null) return hours;
  const week = Math.floor(newest / HOUR_MS) * HOUR_MS - (MOST_HOURS - 1) * HOUR_MS;
  const from = Math.max(filter.from ?? week, week);
  const rows = await store.countRollouts({ ...filter, from }, ["node", "bucket"], { bucketMs: HOUR_MS });
  for (const row of rows) {
    const [node = null, at = null] = row.key;
    if (node === null || at === null) continue;
    const known = hours.get(node) ?? [];
    hours.set(node, known);
    known.push({ at: iso(Number(at)), rollouts: row.n, infraFailed: row.infraFailed });
  }
  for (const known of hours.values()) known.sort((a, b) => (a.at < b.at ? -1 : 1));
  return hours;
}
