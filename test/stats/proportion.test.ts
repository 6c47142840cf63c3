import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wilson } from "@/server/stats/proportion";

const counts = fc.integer({ min: 1, max: 5000 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

describe("a rate", () => {
  test.each([
    [41, 316, 0.129747, 0.0971, 0.171287],
    [19, 288, 0.065972, 0.042638, 0.100732],
    [3, 70, 0.042857, 0.014682, 0.118597],
    [0, 50, 0, 0, 0.071348],
    [1, 1, 1, 0.206549, 1],
  ])("of %i in %i has the published Wilson interval", (k, n, value, low, high) => {
    const rate = wilson(k, n);
    expect(rate?.value).toBeCloseTo(value, 6);
    expect(rate?.low).toBeCloseTo(low, 6);
    expect(rate?.high).toBeCloseTo(high, 6);
  });

  test("of nothing is null", () => {
    expect(wilson(0, 0)).toBeNull();
  });

  test.each([
    [-1, 5],
    [6, 5],
    [1.5, 5],
    [Number.NaN, 5],
    [1, Number.POSITIVE_INFINITY],
  ])("of %d in %d is refused", (k, n) => {
    expect(() => wilson(k, n)).toThrow(/no rate/);
  });

  test("lies within its interval, and the interval within 0 and 1", () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const rate = wilson(k, n);
        return rate !== null && 0 <= rate.low && rate.low <= rate.value && rate.value <= rate.high && rate.high <= 1;
      }),
    );
  });

  test("mirrors when failures and successes swap", () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        expect(wilson(n - k, n)?.low).toBeCloseTo(1 - (wilson(k, n)?.high ?? 0), 12);
      }),
    );
  });

  test("moves up with each failure more", () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        fc.pre(k < n);
        const [less, more] = [wilson(k, n), wilson(k + 1, n)];
        return less !== null && more !== null && less.low < more.low && less.high < more.high;
      }),
    );
  });
});
