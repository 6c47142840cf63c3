/** The test over nodes, fed from the store: which of them lose more rollouts than chance explains. */
import type { NodeJudgement } from "@/server/domain/node-judged";
import type { RolloutRow } from "@/server/domain/rollout";
import type { RolloutDim, RolloutFilter, Store } from "@/server/domain/store";
import type { NodeCell, NodeFailure } from "@/server/stats/node-cells";
import { type FleetTest, type NodeTest, testNodes } from "@/server/stats/node-outliers";
import { cached } from "./cached";
import { type RunDirectory, readDirectory } from "./run-directory";
import { dimOf, familyOf } from "./tally";

const DIMS: RolloutDim[] = ["node", "run", "configKey", "verdict", "family"];
/** Lost rollouts read for their times; with more, bursts are not looked for. */
const MOST_FAILURES = 10_000;

/** Tests all nodes of the filter together, before any paging. Computed once per data version. */
export async function nodeTest(store: Store, filter: RolloutFilter): Promise<FleetTest> {
  const directory = await readDirectory(store);
  const aliases = directory.settings.flatMap((one) => one.aliases.map((alias) => [alias, one.id]));
  return cached(store, `node-test ${JSON.stringify([filter, aliases])}`, async () =>
    testNodes(await cellsOf(store, filter, directory), await failuresOf(store, filter, directory)),
  );
}

/** What the test says of one node; all null for a node that took no part. */
export function judgementOf(test: NodeTest | undefined): NodeJudgement {
  if (!test) return { p: null, q: null, verdict: null, reason: null, sentence: null };
  const { p, q, verdict, reason, sentence } = test;
  return { p, q, verdict, reason, sentence };
}

async function cellsOf(store: Store, filter: RolloutFilter, directory: RunDirectory): Promise<NodeCell[]> {
  const cells = new Map<string, NodeCell>();
  for (const row of await store.countRollouts(filter, DIMS)) {
    const verdict = dimOf(row, DIMS, "verdict");
    if (verdict === null || verdict === "missing") continue;
    const node = dimOf(row, DIMS, "node");
    const stratum = stratumOf(dimOf(row, DIMS, "run"), dimOf(row, DIMS, "configKey"), directory);
    const key = JSON.stringify([stratum, node]);
    const cell = cells.get(key) ?? { stratum, node, rollouts: 0, failed: {} };
    cells.set(key, cell);
    cell.rollouts += row.n;
    if (verdict !== "infra_failed") continue;
    const family = familyOf(dimOf(row, DIMS, "family"));
    cell.failed[family] = (cell.failed[family] ?? 0) + row.n;
  }
  return [...cells.values()];
}

/** Null when there are too many to read. */
async function failuresOf(store: Store, filter: RolloutFilter, directory: RunDirectory): Promise<NodeFailure[] | null> {
  const failures: NodeFailure[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: RolloutRow[]; next: string | null } = await store.listRollouts(
      { ...filter, verdicts: ["infra_failed"] },
      { limit: 1000, cursor },
    );
    for (const { run, configKey, node, family, at } of page.items) {
      failures.push({ stratum: stratumOf(run, configKey, directory), node, family: familyOf(family), at });
    }
    cursor = page.next;
    if (failures.length > MOST_FAILURES) return null;
  } while (cursor !== null);
  return failures;
}

/** Labels of one run are one stratum. */
function stratumOf(run: string | null, configKey: string | null, directory: RunDirectory): string {
  return JSON.stringify([run === null ? null : directory.ownerOf(run), configKey]);
}
