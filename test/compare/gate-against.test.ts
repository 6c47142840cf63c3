import { describe, expect, test } from "vitest";
import type { CompareVerdict } from "@/server/compare/answer";
import { gateAgainst } from "@/server/compare/gate-against";
import { gate } from "@/server/stats/gate";

const passing = gate({ k: 0, n: 200, max: 0.05, ended: true });

describe("a gate against a baseline", () => {
  test.each([
    ["better", "pass", 0],
    ["no_clear_change", "pass", 0],
    ["worse", "fail", 1],
    ["too_little_data", "inconclusive", 2],
  ] as [CompareVerdict, string, number][])("that finds the run %s says %s", (verdict, expected, exitCode) => {
    const found = gateAgainst(passing, { verdict, sentence: "So it is." }, false);
    expect(found).toMatchObject({ verdict: expected, exitCode });
    expect(found.sentence).toMatch(/within the allowed 5\.0 %\. So it is\.$/);
  });

  test("counts inconclusive as failed when strict", () => {
    expect(gateAgainst(passing, { verdict: "too_little_data", sentence: "" }, true).exitCode).toBe(1);
  });

  test("lets no good comparison save a run above the maximum", () => {
    const failing = gate({ k: 41, n: 316, max: 0.05, ended: true });
    expect(gateAgainst(failing, { verdict: "better", sentence: "" }, false).verdict).toBe("fail");
  });

  test("waits for the end of the run", () => {
    const live = gate({ k: 1, n: 50, max: 0.05, ended: false });
    expect(gateAgainst(live, { verdict: "worse", sentence: "" }, false)).toEqual(live);
  });
});
