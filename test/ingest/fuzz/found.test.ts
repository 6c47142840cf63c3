import { expect, test } from "vitest";
import { exceptionInside, exceptionRepr } from "@/server/ingest/formats/exceptions";
import { nginx } from "@/server/ingest/formats/nginx";
import { growth, LINEAR } from "@/test/support/cpu-time";
import { openMemory, send } from "../../support/deliveries";
import { faultsOf } from "./read-broken";

/** Found by the fuzz: a long word, or a long gap, in these places took seconds. */
const HOSTILE: readonly [what: string, size: number, read: (size: number) => unknown][] = [
  ["an exception's repr", 2_500, (size) => exceptionRepr("aA.".repeat(size))],
  ["an exception in a sentence", 625, (size) => exceptionInside("AaError".repeat(size))],
  [
    "an access line",
    7_500,
    (size) =>
      nginx.accepts({
        who: {},
        at: null,
        line: 1,
        text: `1.2.3.4 - - [01/Nov/2026:10:00:00 +0000] "GET /${"a".repeat(size)}`,
      }),
  ],
  [
    "a console's record",
    7_500,
    (size) =>
      faultsOf(Buffer.from(`\u001b[31m🏃 ERROR\u001b[0m    Failed on t-1: a${" ".repeat(size)}b\n`), "rich-console"),
  ],
];

test.each(HOSTILE)("%s with a long word is read in linear time", (_, size, read) => {
  expect(growth(read, size)).toBeLessThan(LINEAR);
});

test("a list that is nested too deep is one reject, not a fault", async () => {
  const store = await openMemory();
  const deep = `[{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}]\n`;
  expect(await send(store, `${deep}ERROR: boom\n`)).toMatchObject({ rejected: 1, records: 2 });
});

/** Found by the fuzz: numbers that are no time. */
test.each([
  ["a run time", '{"metadata":{"started_at":1790000000},"total_run_time":1.7e308,'],
  ["a protobuf's nanoseconds", '{"metadata":{"started_at":{"seconds":1790000000,"nanos":1.7e308}},'],
])("%s that is larger than any gives no time", (_, begin) => {
  const row = `${begin}"_ng_task_index":1,"_ng_rollout_index":0,"reward":0,"response":{"error":"boom"},"instance_id":"t"}\n`;
  expect(faultsOf(Buffer.from(row), "gym-rollouts")).toEqual([]);
});
