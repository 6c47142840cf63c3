import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clusteredRate, designEffect } from "@/server/stats/design-effect";
import { groupWaste, wasteOf } from "@/server/stats/group-waste";
import { MDE_FORMULA, minimumDetectable, neededPerArm } from "@/server/stats/mde";
import { benjaminiHochberg } from "@/server/stats/multiple";
import { wilson } from "@/server/stats/proportion";

describe("the smallest detectable difference", () => {
  test("of the field's two runs is about 6.7 points, and the formula has a name", () => {
    expect(minimumDetectable(0.13, 316, 288, "decrease")).toBeCloseTo(0.0674, 4);
    expect(MDE_FORMULA).toContain("Fleiss");
  });

  test("asks for about 340 rollouts per arm for 13.0 % against 6.6 %", () => {
    expect(neededPerArm(0.13, 0.066)).toBe(338);
    expect(neededPerArm(0.066, 0.13)).toBe(338);
  });

  test("is consistent with the size that it asks for", () => {
    const size = neededPerArm(0.13, 0.066) ?? 0;
    expect(minimumDetectable(0.13, size, size, "decrease")).toBeLessThanOrEqual(0.064);
    expect(minimumDetectable(0.13, size - 1, size - 1, "decrease")).toBeGreaterThan(0.064);
  });

  test("does not exist where even the largest change would not show, or there is nothing to find", () => {
    expect(minimumDetectable(0.05, 20, 20, "decrease")).toBeNull();
    expect(minimumDetectable(0, 300, 300, "decrease")).toBeNull();
    expect(minimumDetectable(0, 300, 300, "increase")).toBeGreaterThan(0);
    expect(neededPerArm(0.1, 0.1)).toBeNull();
    expect(() => minimumDetectable(1.2, 10, 10, "decrease")).toThrow(/no rate/);
    expect(() => minimumDetectable(0.2, 0, 10, "decrease")).toThrow(/no number/);
  });

  test("grows with the design effect", () => {
    const plain = minimumDetectable(0.13, 316, 288, "decrease") ?? 1;
    expect(minimumDetectable(0.13, 316, 288, "decrease", { designEffect: 1.5 })).toBeGreaterThan(plain);
  });
});

describe("many tests at once", () => {
  const p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216];
  const q = [0.01, 0.04, 0.084, 0.084, 0.084, 0.1, 0.105714, 0.216, 0.216, 0.216];

  test("get the published q-values, in any order", () => {
    for (const [i, value] of benjaminiHochberg(p).entries()) expect(value).toBeCloseTo(q[i] ?? -1, 6);
    const backwards = benjaminiHochberg([...p].reverse()).reverse();
    for (const [i, value] of backwards.entries()) expect(value).toBeCloseTo(q[i] ?? -1, 6);
  });

  test("are never more certain than one alone", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) =>
        benjaminiHochberg(values).every((value, i) => value >= (values[i] ?? 0) - 1e-15 && value <= 1),
      ),
    );
    expect(benjaminiHochberg([])).toEqual([]);
  });
});

describe("waste of groups", () => {
  test("of eight at 5 % is 33.658 %", () => {
    expect(wasteOf(0.05, 8)).toBeCloseTo(0.33658, 6);
    expect([wasteOf(0, 8), wasteOf(1, 8)]).toEqual([0, 1]);
    expect(() => wasteOf(0.05, 0)).toThrow(/no sense/);
  });

  test("is counted from the real groups where they are known", () => {
    const groups = [...Array.from({ length: 9 }, () => ({ size: 8, lost: 0 })), { size: 8, lost: 4 }];
    const waste = groupWaste(groups);
    expect(waste?.spoilt).toMatchObject({ k: 1, n: 10 });
    expect(waste?.independent).toBeCloseTo(0.33658, 6);
    expect(groupWaste([])).toBeNull();
  });
});

describe("the design effect by task", () => {
  test("is 1 for single attempts and n for attempts that always agree", () => {
    const single = Array.from({ length: 200 }, (_, i) => ({ k: i % 4 === 0 ? 1 : 0, n: 1 }));
    const alike = Array.from({ length: 200 }, (_, i) => ({ k: i % 4 === 0 ? 4 : 0, n: 4 }));
    expect(designEffect(single)).toBeCloseTo(200 / 199, 9);
    expect(designEffect(alike)).toBeCloseTo((4 * 200) / 199, 9);
  });

  test("is unknown without spread", () => {
    expect(designEffect([{ k: 1, n: 4 }])).toBeNull();
    expect(designEffect(Array.from({ length: 9 }, () => ({ k: 0, n: 4 })))).toBeNull();
  });

  test("widens the interval of a rate, and leaves the naive one beside it", () => {
    const alike = Array.from({ length: 100 }, (_, i) => ({ k: i % 4 === 0 ? 4 : 0, n: 4 }));
    const rate = clusteredRate(alike, 1);
    expect(rate).toMatchObject({ method: "bootstrap over tasks", naive: { low: wilson(100, 400)?.low } });
    expect((rate?.rate.high ?? 0) - (rate?.rate.low ?? 0)).toBeGreaterThan(0.15);
  });

  test("of independent attempts leaves Wilson's interval", () => {
    const even = Array.from({ length: 100 }, (_, i) => ({ k: i % 2, n: 2 }));
    expect(clusteredRate(even, 1)).toMatchObject({ method: "wilson", rate: wilson(50, 200) });
    expect(clusteredRate([], 1)).toBeNull();
  });

  test("of very few tasks shrinks the sample instead of resampling it", () => {
    const few = [
      { k: 10, n: 10 },
      { k: 0, n: 10 },
      { k: 0, n: 10 },
    ];
    const rate = clusteredRate(few, 1);
    expect(rate?.method).toBe("wilson at the effective size");
    expect(rate?.rate.low).toBeLessThan(rate?.naive.low ?? 0);
  });
});
