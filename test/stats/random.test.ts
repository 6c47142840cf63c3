import { describe, expect, test } from "vitest";
import { binomialTerm } from "@/server/stats/binomial";
import { BinomialTables, randomBinomial } from "@/server/stats/random-binomial";
import { addDraw, kindsOf } from "@/server/stats/resampling";
import { SeededRandom } from "@/server/stats/seeded-random";

/** Chi-square of counts against expected ones. */
function unevenness(counts: readonly number[], expected: readonly number[]): number {
  return counts.reduce((sum, n, i) => sum + (n - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 1), 0);
}

describe("seeded random numbers", () => {
  // The 99.9 % point of chi-square with 9 degrees of freedom is 27.9.
  test("are even over their range, one by one and as draws", () => {
    const random = new SeededRandom(42);
    const single = new Int32Array(10);
    for (let i = 0; i < 100_000; i++) {
      const cell = Math.floor(random.next() * 10);
      single[cell] = (single[cell] ?? 0) + 1;
    }
    const draws = new Int32Array(10);
    random.countDraws(
      Int32Array.from({ length: 100_000 }, (_, i) => i % 10),
      draws,
    );
    for (const counts of [single, draws]) {
      expect(unevenness([...counts], new Array<number>(10).fill(10_000))).toBeLessThan(27.9);
    }
  });

  test("differ between seeds that lie close or beyond 32 bits", () => {
    const firsts = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1].map((seed) => new SeededRandom(seed).next());
    expect(new Set(firsts).size).toBe(firsts.length);
  });
});

describe("random binomial counts", () => {
  test.each([
    [10, 0.3],
    [40, 0.8],
    [100, 0.25],
    [1000, 0.5],
    [5000, 0.004],
  ])("of %i trials at %d follow the distribution", (n, p) => {
    const random = new SeededRandom(n);
    const seen = new Array<number>(n + 1).fill(0);
    for (let i = 0; i < 50_000; i++) {
      const k = randomBinomial(random, n, p);
      seen[k] = (seen[k] ?? 0) + 1;
    }
    const expected = seen.map((_, k) => 50_000 * binomialTerm(k, n, p));
    const used = expected.flatMap((e, k) => (e >= 5 ? [k] : []));
    const chi2 = unevenness(
      used.map((k) => seen[k] ?? 0),
      used.map((k) => expected[k] ?? 0),
    );
    // Mean plus four standard deviations of chi-square with as many degrees of freedom.
    expect(chi2).toBeLessThan(used.length + 4 * Math.sqrt(2 * used.length));
  });

  test.each([0.05, 0.5, 0.97])("from tables at %d follow the distribution", (p) => {
    const random = new SeededRandom(9);
    const tables = new BinomialTables(p);
    const seen = new Array<number>(41).fill(0);
    for (let i = 0; i < 50_000; i++) {
      const k = tables.draw(random, 40);
      seen[k] = (seen[k] ?? 0) + 1;
    }
    const used = seen.flatMap((_, k) => (50_000 * binomialTerm(k, 40, p) >= 5 ? [k] : []));
    const chi2 = unevenness(
      used.map((k) => seen[k] ?? 0),
      used.map((k) => 50_000 * binomialTerm(k, 40, p)),
    );
    expect(chi2).toBeLessThan(used.length + 4 * Math.sqrt(2 * used.length));
    expect(tables.draw(random, 0)).toBe(0);
  });

  test("are certain where there is nothing to draw", () => {
    const random = new SeededRandom(1);
    expect([randomBinomial(random, 5, 0), randomBinomial(random, 5, 1), randomBinomial(random, 0, 0.5)]).toEqual([
      0, 5, 0,
    ]);
  });
});

describe("a draw of tasks", () => {
  test.each([10, 12, 200, 5000])("draws as many of %i as there are, whichever way they are counted", (tasks) => {
    const kinds = kindsOf([
      Float64Array.from({ length: tasks }, (_, i) => valueOfTask(tasks, i)),
      new Float64Array(tasks).fill(1),
    ]);
    const random = new SeededRandom(3);
    const counts = new Int32Array(kinds.size.length);
    const sums = new Float64Array(2);
    const values: number[] = [];
    for (let r = 0; r < 2000; r++) {
      sums.fill(0);
      addDraw(kinds, random, counts, sums);
      expect(sums[1]).toBe(tasks);
      values.push((sums[0] ?? 0) / tasks);
    }
    const truth = kindsMean(tasks);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(Math.abs(mean - truth.mean)).toBeLessThan(4 * Math.sqrt(truth.variance / tasks / 2000));
    expect(variance / (truth.variance / tasks)).toBeGreaterThan(0.9);
    expect(variance / (truth.variance / tasks)).toBeLessThan(1.1);
  });

  /** All different for ten tasks, so that they are drawn one by one; three kinds else. */
  function valueOfTask(tasks: number, i: number): number {
    return tasks === 10 ? i : i % 3;
  }

  function kindsMean(tasks: number) {
    const values = Array.from({ length: tasks }, (_, i) => valueOfTask(tasks, i));
    const mean = values.reduce((sum, value) => sum + value, 0) / tasks;
    return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / tasks };
  }
});
