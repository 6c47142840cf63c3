import { describe, expect, test } from "vitest";
import { passAtK, passAtKOverTasks } from "@/server/stats/pass-at-k";

describe("pass@k of one task", () => {
  test.each([
    [5, 2, 1, 0.4],
    [5, 2, 3, 0.9],
    [10, 3, 5, 0.916667],
    [4, 0, 2, 0],
    [4, 3, 2, 1],
  ])("with %i rollouts of which %i passed, k %i, is %d", (n, passed, k, expected) => {
    expect(passAtK(n, passed, k)).toBeCloseTo(expected, 6);
  });

  test("needs at least k rollouts", () => {
    expect(passAtK(2, 1, 3)).toBeNull();
  });

  test("refuses what is no count", () => {
    expect(() => passAtK(5, 6, 1)).toThrow(/no rate/);
    expect(() => passAtK(5, 2, 0)).toThrow(/whole k/);
  });
});

describe("pass@k of a run", () => {
  test("is the mean over tasks, and counts those with too few rollouts as left out", () => {
    const tasks = [
      { n: 5, passed: 2 },
      { n: 4, passed: 4 },
      { n: 2, passed: 0 },
    ];
    expect(passAtKOverTasks(tasks, 3, 1)).toEqual({
      k: 3,
      mean: { n: 2, value: 0.95, low: null, high: null },
      leftOut: 1,
    });
  });

  test("is null when no task has enough rollouts", () => {
    expect(passAtKOverTasks([{ n: 1, passed: 1 }], 2, 1)).toEqual({ k: 2, mean: null, leftOut: 1 });
  });
});
