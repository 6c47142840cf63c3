import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resampledDifference } from "@/server/stats/bootstrap-difference";
import { fisherExact, newcombe } from "@/server/stats/difference";
import { mcnemarExact, pairedDifference } from "@/server/stats/paired";

const count = fc
  .integer({ min: 1, max: 400 })
  .chain((n) => fc.record({ k: fc.integer({ min: 0, max: n }), n: fc.constant(n) }));

describe("the difference of two rates", () => {
  test.each([
    [41, 316, 19, 288, 0.063775, 0.016088, 0.11142, 0.00956058],
    [19, 288, 3, 70, 0.023115, -0.056137, 0.06786, 0.5886],
  ])("%i/%i against %i/%i has the published interval and p", (k1, n1, k2, n2, value, low, high, p) => {
    const [a, b] = [
      { k: k1, n: n1 },
      { k: k2, n: n2 },
    ];
    const difference = newcombe(a, b);
    expect(difference?.value).toBeCloseTo(value, 6);
    expect(difference?.low).toBeCloseTo(low, 6);
    expect(difference?.high).toBeCloseTo(high, 6);
    expect(fisherExact(a, b)).toBeCloseTo(p, 6);
  });

  test("needs data in both", () => {
    expect(newcombe({ k: 0, n: 0 }, { k: 1, n: 2 })).toBeNull();
    expect(fisherExact({ k: 0, n: 0 }, { k: 1, n: 2 })).toBe(1);
  });

  test("lies within its interval and mirrors when the two swap", () => {
    fc.assert(
      fc.property(count, count, (a, b) => {
        const [one, other] = [newcombe(a, b), newcombe(b, a)];
        if (one === null || other === null) return;
        expect(one.low).toBeLessThanOrEqual(one.value);
        expect(one.high).toBeGreaterThanOrEqual(one.value);
        expect(one.low).toBeCloseTo(-other.high, 12);
        expect(fisherExact(a, b)).toBeCloseTo(fisherExact(b, a), 9);
      }),
    );
  });

  test("moves up with each failure more on its first side", () => {
    fc.assert(
      fc.property(count, count, (a, b) => {
        fc.pre(a.k < a.n);
        const [less, more] = [newcombe(a, b), newcombe({ k: a.k + 1, n: a.n }, b)];
        return less !== null && more !== null && less.value < more.value && less.low < more.low;
      }),
    );
  });
});

describe("pairs", () => {
  test("that differ 25 to 9 have the published McNemar p", () => {
    expect(mcnemarExact(25, 9)).toBeCloseTo(0.00904118, 7);
    expect(mcnemarExact(9, 25)).toBe(mcnemarExact(25, 9));
  });

  test("that never differ, or differ evenly, show nothing", () => {
    expect([mcnemarExact(0, 0), mcnemarExact(4, 4)]).toEqual([1, 1]);
    expect(() => mcnemarExact(-1, 4)).toThrow(/no counts/);
  });

  test("give the mean of their differences with an interval over tasks", () => {
    const tasks = Array.from({ length: 60 }, (_, i) => ({ n: 2, sumA: 2, sumB: i % 3 === 0 ? 0 : 2 }));
    const difference = pairedDifference(tasks, "meanOverRollouts", 1);
    expect(difference?.value).toBeCloseTo(1 / 3, 12);
    expect(difference?.low).toBeCloseTo(1 / 3 - 0.12, 1);
    expect(pairedDifference([], "meanOverRollouts", 1)).toBeNull();
  });
});

describe("the difference of two means over tasks", () => {
  const tasks = Array.from({ length: 50 }, (_, i) => ({
    a: { sum: i % 5, n: 4 },
    b: { sum: Math.max(0, (i % 5) - 1), n: 4 },
  }));

  test("lets what is hard about a shared task cancel", () => {
    const shared = resampledDifference(tasks, "meanOverRollouts", 1);
    const apart = resampledDifference(
      tasks.flatMap(({ a, b }) => [
        { a, b: null },
        { a: null, b },
      ]),
      "meanOverRollouts",
      1,
    );
    const width = (d: typeof shared) => (d?.high ?? 0) - (d?.low ?? 0);
    expect(shared?.value).toBeCloseTo(0.2, 12);
    expect(apart?.value).toBeCloseTo(0.2, 12);
    expect(width(shared)).toBeLessThan(width(apart) / 2);
    expect(shared?.p).toBeLessThan(0.001);
  });

  test("mirrors when the two swap", () => {
    const one = resampledDifference(tasks, "meanOfTaskMeans", 1);
    const other = resampledDifference(
      tasks.map(({ a, b }) => ({ a: b, b: a })),
      "meanOfTaskMeans",
      1,
    );
    expect(one?.low).toBeCloseTo(-(other?.high ?? 0), 9);
  });

  test("needs data in both, and some tasks for an interval", () => {
    expect(resampledDifference([{ a: { sum: 1, n: 1 }, b: null }], "meanOverRollouts", 1)).toBeNull();
    const few = [{ a: { sum: 1, n: 1 }, b: { sum: 0, n: 1 } }];
    expect(resampledDifference(few, "meanOverRollouts", 1)).toEqual({ value: 1, low: null, high: null, p: null });
  });
});
