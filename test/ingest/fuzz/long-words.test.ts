import { expect, test } from "vitest";
import { exceptionInside, exceptionRepr } from "@/server/ingest/formats/exceptions";
import { nginx } from "@/server/ingest/formats/nginx";
import { cpuMillisecondsOf } from "@/test/support/cpu-time";
import { openMemory, send } from "../deliveries";

/** Found by the fuzz: a long word in these places took seconds. */
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
];

test.each(HOSTILE)("%s with a long word is read in linear time", (_, read) => {
  expect(cpuMillisecondsOf(read)).toBeLessThan(1_000);
});

test("a list that is nested too deep is one reject, not a fault", async () => {
  const store = await openMemory();
  const deep = `[{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}]\n`;
  expect(await send(store, `${deep}ERROR: boom\n`)).toMatchObject({ rejected: 1, records: 2 });
});
