import { expect, test } from "vitest";
import { exceptionInside, exceptionRepr } from "@/server/ingest/formats/exceptions";
import { nginx } from "@/server/ingest/formats/nginx";
import { cpuMillisecondsOf } from "@/test/support/cpu-time";
import { openMemory, send } from "../../support/deliveries";
import { faultsOf } from "./read-broken";

/** Found by the fuzz: a long word, or a long gap, in these places took seconds. */
const HOSTILE: readonly [what: string, read: () => unknown][] = [
  ["an exception's repr", () => exceptionRepr("aA.".repeat(20_000))],
  ["an exception in a sentence", () => exceptionInside("AaError".repeat(5_000))],
  [
    "an access line",
    () =>
      nginx.accepts({
        who: {},
        at: null,
        line: 1,
        text: `1.2.3.4 - - [01/Nov/2026:10:00:00 +0000] "GET /${"a".repeat(60_000)}`,
      }),
  ],
  [
    "a console's record",
    () =>
      faultsOf(Buffer.from(`\u001b[31m🏃 ERROR\u001b[0m    Failed on t-1: a${" ".repeat(60_000)}b\n`), "rich-console"),
  ],
];

test.each(HOSTILE)("%s with a long word is read in linear time", (_, read) => {
  expect(cpuMillisecondsOf(read)).toBeLessThan(1_000);
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
