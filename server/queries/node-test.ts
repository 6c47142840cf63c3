/** Which nodes lose more rollouts than chance explains: asked once per data version. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { NodeJudgement } from "@/server/domain/node-judged";
import type { RolloutFilter } from "@/server/domain/store";
import type { NodeTest } from "@/server/stats/node-outliers";
import { heavyOf } from "./heavy";
import type { BareFleetTest, BareNodeTest, NodeTestInput } from "./heavy-nodes";
import type { Memo } from "./memo";

/** Tests all nodes of the filter together, before any paging. `memo` must be of the filter's runs where it names some. */
export function nodeTest(memo: Memo, directory: RunDirectory, filter: RolloutFilter): Promise<BareFleetTest> {
  const input = inputOf(directory, filter);
  return memo.once(`node-test ${JSON.stringify(input)}`, () => heavyOf(memo.store).nodeTests(input));
}

/** The strata of one node in the same test. */
export function strataOf(
  memo: Memo,
  directory: RunDirectory,
  filter: RolloutFilter,
  node: string,
): Promise<NodeTest["strata"]> {
  const input = { ...inputOf(directory, filter), node };
  return memo.once(`node-strata ${JSON.stringify(input)}`, () => heavyOf(memo.store).nodeStrata(input));
}

/** What is asked of a filter, with which labels are one run. */
export function inputOf(directory: RunDirectory, filter: RolloutFilter): NodeTestInput {
  const labels = directory.settings.flatMap((one) => one.aliases);
  return { filter, aliases: labels.map((label) => [label, directory.ownerOf(label)]) };
}

/** What the test says of one node; all null for a node that took no part. */
export function judgementOf(test: BareNodeTest | undefined): NodeJudgement {
  if (!test) return { p: null, q: null, verdict: null, reason: null, sentence: null };
  const { p, q, verdict, reason, sentence } = test;
  return { p, q, verdict, reason, sentence };
}
