/** Every node: rollouts that ran there, how many infrastructure ended, how many were to be expected. */
import type { JudgedNodes } from "@/server/domain/node-judged";
import type { Page, RolloutFilter, Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import { heavyOf } from "./heavy";
import { memoOf } from "./memo";
import { inputOf, judgementOf, nodeTest } from "./node-test";
import { defaultOrigins } from "./origins";
import { pageSorted } from "./paging";
import { patienceOf } from "./patience";
import { labelsFor, readDirectory } from "./run-directory";
import { PATIENCE_MS } from "./run-summary";

export interface NodesInput {
  runs?: string[];
  origins?: Origin[];
  from?: number;
  to?: number;
  page: Page;
  /** Wait until all is counted and tested. */
  whole?: boolean;
}

/** Rank of a node that no rollout ran on: below all others. */
const UNTESTED = -1e9;

const BEING_COUNTED: JudgedNodes = {
  items: [],
  next: null,
  fleetWide: false,
  sentence: "The nodes are being counted.",
  pending: true,
};

/** Ranked by the lower bound of failures beyond those expected; nodes that no rollout ran on last. */
export async function nodes(store: Store, input: NodesInput): Promise<JudgedNodes> {
  const directory = await readDirectory(store);
  const runs = labelsFor(directory, input.runs);
  const origins = input.origins ?? (runs ? undefined : await defaultOrigins(store));
  const filter: RolloutFilter = { runs, origins, from: input.from, to: input.to };
  const memo = await memoOf(store, { mayBeOld: runs === undefined, runs });
  const patience = patienceOf(input.whole ? Number.POSITIVE_INFINITY : PATIENCE_MS);
  const tested = nodeTest(memo, directory, filter);
  tested.catch(() => undefined);
  const asked = inputOf(directory, filter);
  const counted = memo.once(`nodes ${JSON.stringify(asked)}`, () => heavyOf(store).countedNodes(asked));
  const [all, fleet] = await Promise.all([patience.wait(counted), patience.wait(tested)]);
  if (all === null) return BEING_COUNTED;
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
