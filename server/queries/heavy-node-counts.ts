/** Nodes in numbers, fed from the store. */
import type { NodeAnswer } from "@/server/domain/answers";
import type { IncidentCount, RolloutCount, RolloutDim, RolloutFilter, Store } from "@/server/domain/store";
import { FAMILIES } from "@/server/domain/taxonomy-words";
import type { NodeTestInput } from "./heavy-nodes";
import type { HeavyWork } from "./heavy-work";
import { iso } from "./iso";
import { emptyTally, infraRate, tallyBy } from "./tally";

/** What the agent did itself is not the node's. */
const INFRA = FAMILIES.filter((family) => family !== "none");
const FAMILY_DIMS: RolloutDim[] = ["node", "verdict", "family"];
const HOUR_MS = 3_600_000;
/** Hours of the heatmap: the newest week of what was asked for. */
const MOST_HOURS = 168;

/** Every node in numbers, before it is judged. */
export async function countedNodes({ store }: HeavyWork, { filter, aliases }: NodeTestInput): Promise<NodeAnswer[]> {
  const owners = new Map(aliases);
  const [rows, runRows, incidents, known, hours] = await Promise.all([
    store.countRollouts(filter, FAMILY_DIMS),
    store.countRollouts(filter, ["node", "run"]),
    store.countIncidents({ ...filter, families: INFRA }, ["node"], { hits: false }),
    filter.runs ? [] : store.nodes({ origins: filter.origins }),
    hoursOf(store, filter),
  ]);
  const tallies = tallyBy(rows, FAMILY_DIMS, "node");
  const runs = runsByNode(runRows, owners);
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
function runsByNode(
  rows: readonly RolloutCount[],
  owners: ReadonlyMap<string, string>,
): Map<string | null, Set<string>> {
  const runs = new Map<string | null, Set<string>>();
  for (const { key } of rows) {
    const [node = null, run] = key;
    if (run != null) runs.set(node, (runs.get(node) ?? new Set()).add(owners.get(run) ?? run));
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
