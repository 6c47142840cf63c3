/** Every node: rollouts that ran there, how many infrastructure ended, how many were to be expected. */

import { classInfo } from "@/server/classify/taxonomy";
import type { List, NodeAnswer } from "@/server/domain/answers";
import type { IncidentCount, Page, RolloutCount, RolloutDim, RolloutFilter, Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import { expectedByNode } from "./expected-by-node";
import { iso } from "./iso";
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

const DIMS: RolloutDim[] = ["node", "run", "configKey", "verdict", "family"];
const HOUR_MS = 3_600_000;
/** Hours of the heatmap: the newest week of what was asked for. */
const MOST_HOURS = 168;

/** Ranked by the lower bound of failures beyond those expected; nodes that no rollout ran on last. */
export async function nodes(store: Store, input: NodesInput): Promise<List<NodeAnswer>> {
  const directory = await readDirectory(store);
  const runs = labelsFor(directory, input.runs);
  const origins = input.origins ?? (runs ? undefined : await defaultOrigins(store));
  const filter: RolloutFilter = { runs, origins, from: input.from, to: input.to };
  const rows = await store.countRollouts(filter, DIMS);
  const incidents = await store.countIncidents(filter, ["node", "class"]);
  const known = runs ? [] : await store.nodes({ origins });
  const page = pageSorted(answers(rows, incidents, known, directory), (node) => [excess(node), node.node], input.page);
  const shown = new Set(page.items.map((node) => node.node));
  const hours = await hoursOf(store, { ...filter, nodes: [...shown] });
  const items = await Promise.all(
    page.items.map(async (node) => ({
      ...node,
      lastAt: node.rollouts > 0 ? await lastAt(store, { ...filter, nodes: [node.node] }) : null,
      hours: hours.get(node.node) ?? [],
    })),
  );
  return { items, next: page.next };
}

function answers(
  rows: readonly RolloutCount[],
  incidents: readonly IncidentCount[],
  known: readonly string[],
  directory: RunDirectory,
): NodeAnswer[] {
  const expected = expectedByNode(rows, DIMS);
  const tallies = tallyBy(rows, DIMS, "node");
  const runs = runsByNode(rows, directory);
  const counted = incidentsByNode(incidents);
  const names = new Set([...tallies.keys(), ...counted.keys(), ...known].filter((name) => name !== null));
  return [...names].map((node) => {
    const tally = tallies.get(node) ?? emptyTally();
    return {
      node,
      rollouts: tally.rollouts,
      infraFailed: infraRate(tally),
      expected: expected.get(node) ?? null,
      byFamily: tally.byFamily,
      incidents: counted.get(node)?.incidents ?? 0,
      absorbed: counted.get(node)?.absorbed ?? 0,
      runs: runs.get(node)?.size ?? 0,
      lastAt: null,
      hours: [],
    };
  });
}

function runsByNode(rows: readonly RolloutCount[], directory: RunDirectory): Map<string | null, Set<string>> {
  const runs = new Map<string | null, Set<string>>();
  for (const row of rows) {
    const node = dimOf(row, DIMS, "node");
    const run = dimOf(row, DIMS, "run");
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

function excess(node: NodeAnswer): number {
  if (node.infraFailed === null) return -1e9;
  return node.infraFailed.low * node.infraFailed.n - (node.expected ?? 0);
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
