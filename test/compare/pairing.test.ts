import { expect, test } from "vitest";
import { pairUp } from "@/server/compare/pairing";
import type { ComparedRollout } from "@/server/compare/rollout-values";

const rollout = (task: string, index: number): ComparedRollout => ({
  task,
  index,
  verdict: "passed",
  family: null,
  reward: 1,
});
const pairsOf = (a: ComparedRollout[], b: ComparedRollout[]) =>
  pairUp(a, b).pairs.map(({ baseline, candidate }) => [baseline.task, baseline.index, candidate.index]);

test("rollouts pair by task and index", () => {
  expect(pairsOf([rollout("a", 0), rollout("a", 1)], [rollout("a", 1), rollout("b", 0)])).toEqual([["a", 1, 1]]);
});

test("repeats whose indexes are made of names pair by their order within the task, whatever order they come in", () => {
  const [a, b] = [
    [rollout("a", 7_000_000), rollout("a", 5_000_000), rollout("b", 6_000_000)],
    [rollout("a", 9_000_000), rollout("a", 8_000_000), rollout("c", 6_000_000)],
  ];
  const expected = [
    ["a", 5_000_000, 8_000_000],
    ["a", 7_000_000, 9_000_000],
  ];
  expect(pairsOf(a, b)).toEqual(expected);
  expect(pairsOf(a.toReversed(), b.toReversed())).toEqual(expected);
  expect(pairUp(a, b).summary).toMatchObject({ shared: 2, baselineOnly: 1, candidateOnly: 1, ambiguous: 0 });
});
