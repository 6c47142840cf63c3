import { describe, expect, test } from "vitest";
import { ago, bytes, count, duration, percent, percentRange, plural, rateText } from "@/app/_ui/format";

describe("numbers as text", () => {
  test("a rate says its size and its interval", () => {
    expect(rateText({ k: 41, n: 316, value: 0.129747, low: 0.0971, high: 0.171287 })).toBe(
      "13.0 % (41 of 316, 9.7–17.1 %)",
    );
  });

  test("no data is said, never shown as 0", () => {
    expect(rateText(null)).toBe("no finished rollout");
  });

  test("fractions become percentages with one decimal", () => {
    expect(percent(0)).toBe("0.0 %");
    expect(percent(1)).toBe("100.0 %");
    expect(percentRange(0.0971, 0.171287)).toBe("9.7–17.1 %");
  });

  test("thousands are set apart by a thin space", () => {
    expect(count(0)).toBe("0");
    expect(count(999)).toBe("999");
    expect(count(12_480_000)).toBe("12\u2009480\u2009000");
  });

  test("one is singular, everything else plural", () => {
    expect([plural(1, "rollout"), plural(0, "rollout"), plural(2, "delivery", "deliveries")]).toEqual([
      "1 rollout",
      "0 rollouts",
      "2 deliveries",
    ]);
  });

  test("bytes take the largest unit that fits", () => {
    expect([bytes(0), bytes(1023), bytes(1024), bytes(1.5 * 2 ** 30), bytes(200 * 2 ** 20)]).toEqual([
      "0 B",
      "1023 B",
      "1 KiB",
      "1.5 GiB",
      "200 MiB",
    ]);
  });
});

describe("spans of time as text", () => {
  test("a duration says two units where the second tells something", () => {
    expect([duration(500), duration(41_000), duration(125 * 60_000), duration(11 * 3_600_000 + 60_000)]).toEqual([
      "under 1 s",
      "41 s",
      "2 h 5 min",
      "11 h",
    ]);
  });

  test("ages are relative to now, also when the sender's clock is ahead", () => {
    const now = 1_000_000_000;
    expect([
      ago(now, now),
      ago(now - 5 * 60_000, now),
      ago(now - 3 * 86_400_000, now),
      ago(now + 7_200_000, now),
    ]).toEqual(["just now", "5 min ago", "3 d ago", "in 2 h"]);
  });
});
