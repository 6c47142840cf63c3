import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binomialAtLeast, binomialAtMost, binomialTerm } from "@/server/stats/binomial";
import { studentQuantile, tailShare } from "@/server/stats/expanded-percentile";
import { hypergeometric } from "@/server/stats/hypergeometric";
import { logChoose, logFactorial, logGamma } from "@/server/stats/log-gamma";
import { normalProbability, normalQuantile } from "@/server/stats/normal";

/** Agreement to `digits` significant digits. */
function near(actual: number, expected: number, digits = 12): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(Math.abs(expected) * 10 ** -digits);
}

describe("log-gamma", () => {
  test.each([
    [0.5, 0.5723649429247001],
    [1.5, -0.12078223763524522],
    [7.25, 7.05218545073854],
    [100, 359.1342053695754],
    [1e6, 12815504.569147611],
  ])("of %d is as tabled", (x, expected) => near(logGamma(x), expected));

  test("of what has none is not a number", () => {
    expect(logGamma(0)).toBeNaN();
    expect(logGamma(-3)).toBeNaN();
  });

  test("gives factorials and coefficients, small and large", () => {
    near(logFactorial(20), Math.log(2432902008176640000));
    near(logFactorial(5000), 37591.14350888677);
    near(Math.exp(logChoose(10, 3)), 120);
    expect(logChoose(3, 4)).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("the normal quantile", () => {
  test.each([
    [0.975, 1.959963984540054],
    [0.8, 0.8416212335729143],
    [0.5, 0],
    [0.001, -3.090232306167813],
    [1e-20, -9.262340089798409],
  ])("of %d is as tabled", (p, z) => near(normalQuantile(p), z));

  test("is infinite at the ends and undefined outside", () => {
    expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
    expect(normalQuantile(1.1)).toBeNaN();
  });
});

describe("the normal probability", () => {
  test("undoes the quantile", () => {
    for (const p of [1e-6, 0.01, 0.2, 0.5, 0.9, 0.975]) expect(normalProbability(normalQuantile(p))).toBeCloseTo(p, 14);
    expect([normalProbability(-40), normalProbability(40)]).toEqual([0, 1]);
  });
});

describe("percentiles for few tasks", () => {
  test.each([
    [4, 2.7764451],
    [9, 2.2621572],
    [49, 2.0095752],
    [10_000, 1.9602012],
  ])("use Student's t with %i degrees of freedom", (freedom, expected) => {
    expect(Math.abs(studentQuantile(0.975, freedom) / expected - 1)).toBeLessThan(0.003);
  });

  test("reach further out than 2.5 %, and come to it with many tasks", () => {
    expect(tailShare(5)).toBeLessThan(0.002);
    expect(tailShare(50)).toBeGreaterThan(0.02);
    expect(tailShare(100_000)).toBeCloseTo(0.025, 5);
  });
});

describe("binomial tails", () => {
  test("agree with known values, also far out", () => {
    near(binomialAtLeast(3, 5, 0.5), 0.5);
    near(binomialAtLeast(10, 10, 0.1), 1e-10);
    near(binomialAtLeast(60, 400, 0.05), 4.923190593205e-14, 10);
    near(binomialAtMost(9, 34, 0.5), 0.00904118 / 2, 5);
  });

  test("are the sums of their terms", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 61 }),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        (n, k, p) => {
          let sum = 0;
          for (let i = k; i <= n; i++) sum += binomialTerm(i, n, p);
          expect(binomialAtLeast(k, n, p)).toBeCloseTo(sum, 10);
          expect(binomialAtLeast(k, n, p) + binomialAtMost(k - 1, n, p)).toBeCloseTo(1, 10);
        },
      ),
    );
  });

  test("are certain or impossible at the ends", () => {
    expect([binomialAtLeast(0, 5, 0.2), binomialAtLeast(6, 5, 0.2), binomialAtLeast(1, 5, 0)]).toEqual([1, 0, 0]);
    expect(binomialAtLeast(5, 5, 1)).toBe(1);
  });
});

describe("the hypergeometric distribution", () => {
  test("of a small draw is as counted by hand", () => {
    const { from, terms } = hypergeometric(10, 4, 3);
    expect(from).toBe(0);
    expect([...terms].map((term) => Math.round(term * 120))).toEqual([20, 60, 36, 4]);
  });

  test("knows what cannot be", () => {
    expect(hypergeometric(5, 4, 3)).toMatchObject({ from: 2 });
    expect([...hypergeometric(5, 5, 3).terms]).toEqual([1]);
    expect([...hypergeometric(0, 0, 0).terms]).toEqual([1]);
    expect(() => hypergeometric(5, 6, 3)).toThrow(/no draw/);
    expect(() => hypergeometric(5, 1.5, 3)).toThrow(/no draw/);
  });

  test("has the known mean and sums to 1, however large", () => {
    const size = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(
        size,
        fc.double({ max: 1, min: 0, noNaN: true }),
        fc.double({ max: 1, min: 0, noNaN: true }),
        (n, a, b) => {
          const [marked, drawn] = [Math.round(a * n), Math.round(b * n)];
          const { from, terms } = hypergeometric(n, marked, drawn);
          const mean = terms.reduce((sum, term, i) => sum + term * (from + i), 0);
          expect(terms.reduce((sum, term) => sum + term, 0)).toBeCloseTo(1, 9);
          expect(Math.abs(mean - (marked * drawn) / n)).toBeLessThan(1e-6 * n);
        },
      ),
      { numRuns: 60 },
    );
  });
});
