import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bootstrapOverTasks } from "@/server/stats/bootstrap";

const tasks = fc.array(
  fc.integer({ min: 1, max: 6 }).chain((n) => fc.record({ sum: fc.integer({ min: 0, max: n }), n: fc.constant(n) })),
  { minLength: 5, maxLength: 40 },
);

describe("a mean over tasks", () => {
  test("weighs every task the same, or every rollout the same", () => {
    const unequal = [
      { sum: 1, n: 1 },
      { sum: 0, n: 3 },
    ];
    expect(bootstrapOverTasks(unequal, "meanOfTaskMeans", 1)).toMatchObject({ n: 2, value: 0.5 });
    expect(bootstrapOverTasks(unequal, "meanOverRollouts", 1)).toMatchObject({ n: 4, value: 0.25 });
  });

  test("of nothing is null, and tasks without a value do not count", () => {
    expect(bootstrapOverTasks([], "meanOfTaskMeans", 1)).toBeNull();
    expect(bootstrapOverTasks([{ sum: 0, n: 0 }], "meanOverRollouts", 1)).toBeNull();
  });

  test("of few tasks, or of tasks all alike, has no interval", () => {
    expect(bootstrapOverTasks([{ sum: 1, n: 2 }], "meanOfTaskMeans", 1)).toEqual({
      n: 1,
      value: 0.5,
      low: null,
      high: null,
    });
    const alike = Array.from({ length: 50 }, () => ({ sum: 4, n: 4 }));
    expect(bootstrapOverTasks(alike, "meanOfTaskMeans", 1)).toEqual({ n: 50, value: 1, low: null, high: null });
  });

  test("refuses what is no number", () => {
    expect(() => bootstrapOverTasks([{ sum: Number.NaN, n: 1 }], "meanOverRollouts", 1)).toThrow(/cannot be averaged/);
    expect(() => bootstrapOverTasks([{ sum: 1, n: -1 }], "meanOverRollouts", 1)).toThrow(/cannot be averaged/);
  });

  test("is the same for the same seed, and close for another", () => {
    const some = Array.from({ length: 100 }, (_, i) => ({ sum: i % 5, n: 4 }));
    const first = bootstrapOverTasks(some, "meanOfTaskMeans", 7);
    const other = bootstrapOverTasks(some, "meanOfTaskMeans", 8);
    expect(bootstrapOverTasks(some, "meanOfTaskMeans", 7)).toEqual(first);
    expect(other?.low).not.toBe(first?.low);
    expect(other?.low).toBeCloseTo(first?.low ?? 0, 2);
  });

  test("agrees with the normal interval where that holds", () => {
    const some = Array.from({ length: 400 }, (_, i) => ({ sum: i % 5, n: 4 }));
    const mean = bootstrapOverTasks(some, "meanOfTaskMeans", 3);
    const half = (1.959964 * Math.sqrt(0.125)) / 20;
    expect(mean?.low).toBeCloseTo(0.5 - half, 2);
    expect(mean?.high).toBeCloseTo(0.5 + half, 2);
  });

  test("lies within its interval", () => {
    fc.assert(
      fc.property(tasks, fc.constantFrom("meanOfTaskMeans" as const, "meanOverRollouts" as const), (some, kind) => {
        const mean = bootstrapOverTasks(some, kind, 5);
        return mean !== null && (mean.low ?? mean.value) <= mean.value && mean.value <= (mean.high ?? mean.value);
      }),
      { numRuns: 40 },
    );
  });
});
