/** The permutation test over nodes, fed from the store. */
import type { RolloutCount, RolloutDim, RolloutFilter } from "@/server/domain/store";
import type { NodeCell, NodeFailure } from "@/server/stats/node-cells";
import { type FleetTest, type NodeTest, testNodes } from "@/server/stats/node-outliers";
import type { HeavyWork } from "./heavy-work";
import { memoOf } from "./memo";
import { dimOf, familyOf } from "./tally";

const CELL_DIMS: RolloutDim[] = ["node", "run", "configKey", "verdict", "family"];
const TIME_DIMS: RolloutDim[] = ["node", "run", "configKey", "family", "bucket"];
/** Bursts are 60 s long; a second is fine enough for their times. */
const SECOND_MS = 1000;

export interface NodeTestInput {
  filter: RolloutFilter;
  /** Labels that count as another run: alias and run. */
  aliases: [alias: string, run: string][];
}

/** A node's test without its strata, which are many where runs are. */
export type BareNodeTest = Omit<NodeTest, "strata">;
export type BareFleetTest = Omit<FleetTest, "nodes"> & { nodes: BareNodeTest[] };

/** Tests all nodes of the filter together. */
export async function nodeTests(work: HeavyWork, input: NodeTestInput): Promise<BareFleetTest> {
  const fleet = await tested(work, input);
  return { ...fleet, nodes: fleet.nodes.map(({ strata: _, ...node }) => node) };
}

/** Runs and configs in which a node was compared with the others; empty for a node that took no part. */
export async function nodeStrata(
  work: HeavyWork,
  input: NodeTestInput & { node: string },
): Promise<NodeTest["strata"]> {
  const fleet = await tested(work, input);
  return fleet.nodes.find((one) => one.node === input.node)?.strata ?? [];
}

/** Read and tested once per data version, for the test and for each node's strata. */
async function tested(work: HeavyWork, { filter, aliases }: NodeTestInput): Promise<FleetTest> {
  const memo = await memoOf(work.store, { runs: filter.runs });
  return memo.once(`tested ${JSON.stringify([filter, aliases])}`, () => readAndTest(work, { filter, aliases }));
}

async function readAndTest({ store, keeper }: HeavyWork, { filter, aliases }: NodeTestInput): Promise<FleetTest> {
  const owners = new Map(aliases);
  const rows = await store.countRollouts(filter, CELL_DIMS);
  const lost = { ...filter, verdicts: ["infra_failed" as const] };
  const times = await store.countRollouts(lost, TIME_DIMS, { bucketMs: SECOND_MS });
  const input = { cells: cellsOf(rows, owners), failures: failuresOf(times, owners) };
  return keeper.kept("node-test", input, ({ cells, failures }) => testNodes(cells, failures));
}

function cellsOf(rows: readonly RolloutCount[], owners: ReadonlyMap<string, string>): NodeCell[] {
  const cells = new Map<string, NodeCell>();
  for (const row of rows) {
    const verdict = dimOf(row, CELL_DIMS, "verdict");
    if (verdict === null || verdict === "missing") continue;
    const node = dimOf(row, CELL_DIMS, "node");
    const stratum = stratumOf(row, CELL_DIMS, owners);
    const key = JSON.stringify([stratum, node]);
    const cell = cells.get(key) ?? { stratum, node, rollouts: 0, failed: {} };
    cells.set(key, cell);
    cell.rollouts += row.n;
    if (verdict !== "infra_failed") continue;
    const family = familyOf(dimOf(row, CELL_DIMS, "family"));
    cell.failed[family] = (cell.failed[family] ?? 0) + row.n;
  }
  return [...cells.values()];
}

/** One failure per lost rollout. */
function failuresOf(rows: readonly RolloutCount[], owners: ReadonlyMap<string, string>): NodeFailure[] {
  return rows.flatMap((row) => {
    const at = dimOf(row, TIME_DIMS, "bucket");
    const failure: NodeFailure = {
      stratum: stratumOf(row, TIME_DIMS, owners),
      node: dimOf(row, TIME_DIMS, "node"),
      family: familyOf(dimOf(row, TIME_DIMS, "family")),
      at: at === null ? null : Number(at),
    };
    return Array.from({ length: row.n }, () => failure);
  });
}

/** Labels of one run are one stratum. */
function stratumOf(row: RolloutCount, dims: readonly RolloutDim[], owners: ReadonlyMap<string, string>): string {
  const run = dimOf(row, dims, "run");
  return JSON.stringify([run === null ? null : (owners.get(run) ?? run), dimOf(row, dims, "configKey")]);
}
