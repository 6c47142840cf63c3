import { describe, expect, test } from "vitest";
import { headTime } from "@/server/ingest/head-time";

const at = (text: string, tz: string | null = null) => {
  const ms = headTime(text, tz);
  return ms === null ? null : new Date(ms).toISOString();
};

describe("the time at a line's head", () => {
  test.each([
    ["2026-11-22 05:48:24,272 ERROR opensandbox.adapters Failed", "2026-11-22T05:48:24.272Z"],
    ["2026-11-22T05:48:24.5+02:00 INFO x", "2026-11-22T03:48:24.500Z"],
    ["[2026-11-22 05:48:24] worker: up", "2026-11-22T05:48:24.000Z"],
    ["INFO 2026-11-22 05:48:24 up", "2026-11-22T05:48:24.000Z"],
    ["ERROR: 2026-11-22 05:48:24 down", "2026-11-22T05:48:24.000Z"],
    ["2026/11/22 05:48:24 [error] 7#7: *1 upstream timed out", "2026-11-22T05:48:24.000Z"],
    ['{"level":"info","ts":"2026-11-22T05:48:24.001Z","msg":"x"}', "2026-11-22T05:48:24.001Z"],
    ['{"ts":1794635304.25,"msg":"x"}', "2026-11-14T05:48:24.250Z"],
    ['{"msg":"x","timestamp": "2026-11-22 05:48:24"}', "2026-11-22T05:48:24.000Z"],
    ['time="2026-11-22T05:48:24Z" level=info msg=x', "2026-11-22T05:48:24.000Z"],
  ])("of %s is read", (text, time) => {
    expect(at(text)).toBe(time);
  });

  test("without a zone is in that of the delivery", () => {
    expect(at("2026-11-22 05:48:24 x", "+02:00")).toBe("2026-11-22T03:48:24.000Z");
    expect(at("2026-11-22 05:48:24Z x", "+02:00")).toBe("2026-11-22T05:48:24.000Z");
  });

  test.each([
    "no time at all",
    "Nov 22 05:48:24 host kernel: x",
    "E1122 05:48:24.000000 1 x.go:1] y",
    "the run of 2026-11-22 05:48:24 was lost",
    '{"elapsed_time":12345678901,"msg":"x"}',
    '{"time":"soon","msg":"x"}',
    "2026-13-45 99:99:99 x",
    "",
  ])("is none where there is none, or only part of one: %s", (text) => {
    expect(at(text)).toBeNull();
  });

  test("is looked for at the head only, however long the line", () => {
    expect(at(`${"x".repeat(1_000_000)}"ts":"2026-11-22T05:48:24Z"`)).toBeNull();
  });
});
