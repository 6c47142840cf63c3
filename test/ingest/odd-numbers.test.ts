import { expect, test } from "vitest";
import { openMemory, rejects, rollouts, send } from "../support/deliveries";

/** Numbers by which attempts are told apart must be exact: of two larger ones nobody knows whether they are one. */
const ODD: [shown: string, got: string][] = [
  ["1e20", "100000000000000000000"],
  ["-1", "-1"],
  ["1.5", "1.5"],
  ["9007199254740992", "9007199254740992"],
  ['"7"', "string"],
];

const ROWS: [what: string, field: string, row: (value: string) => string][] = [
  ["Gym's index", "_ng_rollout_index", (n) => `{"_ng_task_index":1,"_ng_rollout_index":${n},"reward":0}`],
  [
    "Gym's attempt",
    "_ng_attempt_index",
    (n) => `{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_attempt_index":${n},"reward":0}`,
  ],
  ["a case's attempt", "attempt", (n) => `{"case":"t1","attempt":${n},"score":0}`],
  ["OpenHands' attempt", "attempt", (n) => `{"instance_id":"t1","attempt":${n},"test_result":{},"history":[]}`],
  [
    "rLLM's attempt",
    "items[].attempt",
    (n) => `{"dataset_name":"d","score":0,"items":[{"idx":1,"attempt":${n},"reward":0,"is_correct":false}]}`,
  ],
];

test.each(ROWS)("%s that is no exact count is refused with line, field and value", async (_what, field, row) => {
  const store = await openMemory();
  const body = [row("0"), ...ODD.map(([shown]) => row(shown))].join("\n");
  const { batchId } = await send(store, `${body}\n`, { run: "r" });
  expect(await rollouts(store)).toHaveLength(1);
  expect((await rejects(store, batchId)).map(({ line, code, message }) => [line, code, message])).toEqual(
    ODD.map(([, got], i) => [
      i + 2,
      "invalid_type",
      `${field} must be a whole number from 0 to 9007199254740991, got ${got}`,
    ]),
  );
});

test("a case's index that is a number is refused likewise; one that is a word leaves the order to count", async () => {
  const store = await openMemory();
  const body = ["1e20", "-7", "0.5", '"7"', '"b"'].map((n) => `{"case":"t1","sample":${n},"score":0}`).join("\n");
  const { batchId } = await send(store, `${body}\n`, { run: "r" });
  expect((await rejects(store, batchId)).map(({ line }) => line)).toEqual([1, 2, 3]);
  expect((await rollouts(store)).map(({ index }) => index).sort()).toEqual([0, 1]);
});

test("a number that only a file's name gives is refused too", async () => {
  const store = await openMemory();
  const trial = {
    trial_name: `t1.${"9".repeat(30)}-of-3.run-1`,
    task_id: "t1",
    is_resolved: true,
    failure_mode: "unset",
  };
  const { batchId } = await send(store, `${JSON.stringify(trial)}\n`, { format: "terminal-bench" });
  expect(await rollouts(store)).toEqual([]);
  expect(await rejects(store, batchId)).toMatchObject([
    { line: 1, code: "invalid_type", message: expect.stringMatching(/^index must be/) },
  ]);
});
