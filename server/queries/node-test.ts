/** The test over nodes, fed from the store: which of them lose more rollouts than chance explains. */
import type { NodeJudgement } from "@/server/domain/node-judged";
import type { RolloutCount, RolloutDim, RolloutFilter } from "@/server/domain/store";
import type { NodeCell, NodeFailure } from "@/server/stats/node-cells";
import { type FleetTest, type NodeTest, testNodes } from "@/server/stats/node-outliers";
import { byContent } from "./by-content";
import type { Memo } from "./memo";
import type { RunDirectory } from "./run-directory";
import { dimOf, familyOf } from "./tally";

/** Dimensions of the counted rollouts that the test reads. */
export const NODE_TEST_DIMS: RolloutDim[] = ["node", "run", "configKey", "verdict", "family"];
const TIME_DIMS: RolloutDim[] = ["node", "run", "configKey", "family", "bucket"];
/** Bursts are 60 s long; a second is fine enough for their times. */
const SECOND_MS = 1000;

const judged = byContent(
  ({ cells, failures }: { cells: NodeCell[]; failures: NodeFailure[] }) => testNodes(cells, failures),
  200,
);

/** Tests all nodes of the filter together, before any paging. Computed once per data version. */
export function nodeTest(memo: Memo, directory: RunDirectory, filter: RolloutFilter): Promise<FleetTest> {
  const aliases = directory.settings.flatMap((one) => one.aliases.map((alias) => [alias, one.id]));
  return memo.once(`node-test ${JSON.stringify([filter, aliases])}`, async (strict) => {
    const lost = { ...filter, verdicts: ["infra_failed" as const] };
    const rows = await nodeCounts(strict, filter);
    const times = await strict.store.countRollouts(lost, TIME_DIMS, { bucketMs: SECOND_MS });
    return judged({ cells: cellsOf(rows, directory), failures: failuresOf(times, directory) });
  });
}

/** Rollouts of the filter by `NODE_TEST_DIMS`. */
export function nodeCounts(memo: Memo, filter: RolloutFilter): Promise<RolloutCount[]> {
  return memo.once(`node-counts ${JSON.stringify(filter)}`, () => memo.store.countRollouts(filter, NODE_TEST_DIMS));
}

/** What the test says of one node; all null for a node that took no part. */
export function judgementOf(test: NodeTest | undefined): NodeJudgement {
  if (!test) return { p: null, q: null, verdict: null, reason: null, sentence: null };
  const { p, q, verdict, reason, sentence } = test;
  return { p, q, verdict, reason, sentence };
}

function cellsOf(rows: readonly RolloutCount[], directory: RunDirectory): NodeCell[] {
  const cells = new Map<string, NodeCell>();
  for (const row of rows) {
    const verdict = dimOf(row, NODE_TEST_DIMS, "verdict");
    if (verdict === null || verdict === "missing") continue;
    const node = dimOf(row, NODE_TEST_DIMS, "node");
    const stratum = stratumOf(row, NODE_TEST_DIMS, directory);
    const key = JSON.stringify([stratum, node]);
    const cell = cells.get(key) ?? { stratum, node, rollouts: 0, failed: {} };
    cells.set(key, cell);
    cell.rollouts += row.n;
    if (verdict !== "infra_failed") continue;
    const family = familyOf(dimOf(row, NODE_TEST_DIMS, "family"));
    cell.failed[family] = (cell.failed[family] ?? 0) + row.n;
  }
  return [...cells.values()];
}

/** One failure per lost rollout. */
function failuresOf(rows: readonly RolloutCount[], directory: RunDirectory): NodeFailure[] {
  return rows.flatMap((row) => {
    const at = dimOf(row, TIME_DIMS, "bucket");
    const failure: NodeFailure = {
      stratum: stratumOf(row, TIME_DIMS, directory),
      node: dimOf(row, TIME_DIMS, "node"),
      family: familyOf(dimOf(row, TIME_DIMS, "family")),
      at: at === null ? null : Number(at),
    };
    return Array.from({ length: row.n }, () => failure);
  });
}

/** Labels of one run are one stratum. */
function stratumOf(row: RolloutCount, dims: readonly RolloutDim[], directory: RunDirectory): string {
  const run = dimOf(row, dims, "run");
  return JSON.stringify([run === null ? null : directory.ownerOf(run), dimOf(row, dims, "configKey")]);
}
