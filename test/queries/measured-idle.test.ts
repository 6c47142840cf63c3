import { describe, expect, test } from "vitest";
import type { CanarySummary } from "@/server/domain/canary";
import { measuredIdleS } from "@/server/queries/measured-idle";

function looked(
  target: string,
  boundaryS: number | null,
  endedAt: string | null,
  plan = "idle-boundary",
): CanarySummary {
  return {
    id: `${target}-${endedAt}`,
    target,
    plan: plan as CanarySummary["plan"],
    state: "passed",
    by: "request",
    createdAt: "2026-11-27T00:00:00.000Z",
    startedAt: null,
    endedAt,
    notes: [],
    result: { ok: null, sentence: "", trials: null, detail: { boundaryS } },
    cycles: 0,
  };
}

describe("the idle timeout that canaries measured", () => {
  test("is the newest of a target, and the shortest of several", () => {
    const runs = [
      looked("a", 5, "2026-11-27T10:00:00.000Z"),
      looked("a", 30, "2026-11-27T12:00:00.000Z"),
      looked("b", 60, "2026-11-27T11:00:00.000Z"),
    ];
    expect(measuredIdleS(runs)).toBe(30);
  });

  test("is not known from other plans, from runs that go on, or from runs that found none", () => {
    const at = "2026-11-27T10:00:00.000Z";
    expect(measuredIdleS([looked("a", 5, at, "smoke"), looked("a", 5, null), looked("a", null, at)])).toBeNull();
  });
});
