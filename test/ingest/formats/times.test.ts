import { describe, expect, test } from "vitest";
import { parseLogLine } from "@/server/ingest/formats/log-line";
import { timeOf } from "@/server/ingest/formats/times";

const CLOCK = { tz: null, receivedAt: Date.parse("2026-11-01T00:00:00Z") };
const SECOND = "2026-10-21T09:14:03.000Z";
const MILLISECOND = "2026-10-21T09:14:03.123Z";
const isoOf = (at: number | null | undefined) => (at === null || at === undefined ? null : new Date(at).toISOString());

describe("a time in a JSON field", () => {
  test.each<[unknown, string]>([
    [1792574043, SECOND],
    [1792574043.123, MILLISECOND],
    [1792574043123, MILLISECOND],
    [1792574043123456, MILLISECOND],
    ["1792574043123456789", MILLISECOND],
    ["1792574043.123", MILLISECOND],
    ["1.792574043123e+09", MILLISECOND],
    [{ seconds: "1792574043", nanos: 123_000_000 }, MILLISECOND],
    ["2026-10-21T11:14:03.123456789+02:00", MILLISECOND],
    ["2026-10-21 11:14:03,123+0200", MILLISECOND],
    ["21/Oct/2026:11:14:03 +0200", SECOND],
    ["Wed, 21 Oct 2026 09:14:03 GMT", SECOND],
    ["Wed Oct 21 09:14:03 2026", SECOND],
    ["20261021T091403Z", SECOND],
    ["2026-10-21T09:14Z", "2026-10-21T09:14:00.000Z"],
    // Collectors write one time in many ways: what is below a millisecond is cut off in all of them.
    ["2026-10-21T09:14:03.123999999Z", MILLISECOND],
    ["1792574043123999999", MILLISECOND],
    ["1792574043123000000", MILLISECOND],
    ["1792574043123999", MILLISECOND],
    [1792574043.123999, MILLISECOND],
    [1792574043123.9, MILLISECOND],
    [1792574043123999, MILLISECOND],
    [{ seconds: 1792574043, nanos: 123_999_999 }, MILLISECOND],
    ["1.792574043123999e+09", MILLISECOND],
  ])("%j is read", (value, iso) => {
    expect(isoOf(timeOf(value, CLOCK)?.at)).toBe(iso);
  });

  test.each<[unknown]>([[0], [-1], ["0"], ["soon"], ["99/Oct/2026:11:14:03 +0200"], [{ seconds: "x" }], [{}], [null]])(
    "%j is none",
    (value) => {
      expect(timeOf(value, CLOCK)).toBeNull();
    },
  );
});

describe("the head of a log line", () => {
  test.each([
    ["2026-10-21 09:14:03,123 ERROR gym: boom", MILLISECOND],
    ["2026/10/21 09:14:03 ERROR gym: boom", SECOND],
    ["2026-10-21 11:14:03.123 +0200 ERROR gym: boom", MILLISECOND],
    ["10-21 09:14:03 ERROR gym: boom", SECOND],
    ["Oct 21 09:14:03 ERROR gym: boom", SECOND],
    ["[10/21/26 09:14:03] ERROR gym: boom", SECOND],
    ["Wed Oct 21 09:14:03 2026 ERROR gym: boom", SECOND],
    ["21/Oct/2026:09:14:03 +0000 ERROR gym: boom", SECOND],
    ["1792574043.123 ERROR gym: boom", MILLISECOND],
    ["ERROR 10-21 09:14:03 [async_llm.py:55] boom", SECOND],
    ["[2026-10-21 09:14:03,123][gym][ERROR] - boom", MILLISECOND],
  ])("%s", (line, iso) => {
    const read = parseLogLine(line, CLOCK);
    expect([isoOf(read?.time?.at), read?.level, read?.message]).toEqual([iso, "error", "boom"]);
  });

  test("a naive time takes the delivery's zone, on both sides of a change of the clock", () => {
    const at = (line: string) => isoOf(parseLogLine(line, { ...CLOCK, tz: "America/New_York" })?.time?.at);
    expect(at("2026-10-31 05:14:03,123 ERROR gym: boom")).toBe("2026-10-31T09:14:03.123Z");
    expect(at("2026-11-02 04:14:03,123 ERROR gym: boom")).toBe("2026-11-02T09:14:03.123Z");
  });

  test("a number of the message after a naive time is no zone", () => {
    expect(parseLogLine("2026-10-21 09:14:03 -12345 bytes left", CLOCK)?.message).toBe("-12345 bytes left");
  });
});
