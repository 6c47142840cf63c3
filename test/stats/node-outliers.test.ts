import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NodeFailure } from "@/server/stats/node-cells";
import { testNodes } from "@/server/stats/node-outliers";
import { atLeast, expectedFailures } from "@/server/stats/stratified-permutation";
import { cells, LATER_RUN } from "./fleet-cells";

function failuresAt(node: string, times: (number | null)[]): NodeFailure[] {
  return times.map((at) => ({ stratum: "run", node, family: "disconnect", at }));
}

describe("the stratified permutation test", () => {
  const two = [
    { rollouts: 70, failures: 3, here: 9 },
    { rollouts: 288, failures: 19, here: 30 },
  ];

  test("gives the published p-values", () => {
    expect(atLeast([{ rollouts: 70, failures: 3, here: 9 }], 3)).toBeCloseTo(0.00153453, 8);
    expect(expectedFailures(two)).toBeCloseTo(2.364881, 6);
    expect(atLeast(two, 9)).toBeCloseTo(0.000136131, 9);
    expect(atLeast(two, 4)).toBeCloseTo(0.200943, 6);
  });

  test("is certain of at least none, and knows what cannot be", () => {
    expect(atLeast(two, 0)).toBe(1);
    expect(atLeast(two, 23)).toBe(0);
    expect(atLeast([{ rollouts: 10, failures: 4, here: 10 }], 4)).toBe(1);
  });

  test("falls with each failure more, and is the same whatever the order of strata", () => {
    const stratum = fc.integer({ min: 1, max: 200 }).chain((rollouts) =>
      fc.record({
        rollouts: fc.constant(rollouts),
        failures: fc.integer({ min: 0, max: rollouts }),
        here: fc.integer({ min: 0, max: rollouts }),
      }),
    );
    fc.assert(
      fc.property(fc.array(stratum, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (strata, k) => {
        expect(atLeast(strata, k)).toBeLessThanOrEqual(atLeast(strata, k - 1) + 1e-12);
        expect(atLeast([...strata].reverse(), k)).toBeCloseTo(atLeast(strata, k), 9);
      }),
    );
  });

  test("keeps the digits of a tiny p", () => {
    expect(atLeast([{ rollouts: 100, failures: 10, here: 10 }], 10)).toBeCloseTo(5.776904234533874e-14, 24);
  });
});

describe("a node", () => {
  test("with all three failures of the later run is a suspect", () => {
    const fleet = testNodes(LATER_RUN, failuresAt("bad", [0, 600_000, 1_200_000]));
    expect(fleet.suspects).toEqual(["bad"]);
    const [bad] = fleet.nodes;
    expect(bad).toMatchObject({ node: "bad", verdict: "suspect", reason: null, burst: { failures: 3 } });
    expect(bad?.p).toBeCloseTo(0.00153453, 8);
    expect(bad?.q).toBeLessThanOrEqual(0.05);
    expect(bad?.sentence).toContain("9 of 70 rollouts and 3 of 3 infrastructure failures");
    expect(bad?.sentence).toContain("0.15 %");
    expect(fleet.sentence).toBe("bad of 32 nodes fails more than chance explains: 3 of 9 rollouts, 0.4 expected.");
  });

  test("is not blamed for the bad config that it ran", () => {
    const good = cells(
      Array.from({ length: 10 }, (_, i): [string, number, number] => [`n${i}`, 20, 0]),
      "good config",
    );
    const bad = cells(
      [
        ["m1", 20, 10],
        ["m2", 20, 10],
      ],
      "bad config",
    );
    const fleet = testNodes([...good, ...bad], null);
    expect(fleet.suspects).toEqual([]);
    expect(fleet.nodes.find((node) => node.node === "m1")?.verdict).toBe("ok");
  });

  test("with one of one failed is not the worst", () => {
    const fleet = testNodes(
      cells([
        ["one", 1, 1],
        ["ten", 30, 10],
        ["a", 100, 3],
        ["b", 100, 3],
        ["c", 100, 3],
      ]),
      null,
    );
    expect(fleet.nodes[0]?.node).toBe("ten");
    expect(fleet.nodes.find((node) => node.node === "one")?.verdict).not.toBe("suspect");
  });

  test("with two failures at most is watched", () => {
    const fleet = testNodes(
      cells([["x", 2, 2], ...Array.from({ length: 20 }, (_, i): [string, number, number] => [`n${i}`, 20, 0])]),
      null,
    );
    expect(fleet.nodes[0]).toMatchObject({ node: "x", verdict: "watch" });
  });

  test("under five rollouts without a failure has too little data", () => {
    const fleet = testNodes(
      cells([
        ["few", 4, 0],
        ["many", 50, 2],
      ]),
      null,
    );
    expect(fleet.nodes.find((node) => node.node === "few")).toMatchObject({
      verdict: "too_little_data",
      reason: "few_rollouts",
    });
    expect(fleet.nodes.find((node) => node.node === "many")).toMatchObject({ verdict: "ok", reason: null });
  });

  test("whose failures all fall within a minute is said to have had one burst", () => {
    const fleet = testNodes(LATER_RUN, failuresAt("bad", [0, 30_000, 60_000]));
    expect(fleet.nodes[0]).toMatchObject({ node: "bad", reason: "one_burst", burst: { failures: 1 } });
    expect(fleet.nodes[0]?.sentence).toContain("One burst");
    const apart = testNodes(LATER_RUN, failuresAt("bad", [0, 60_001, 120_002]));
    expect(apart.nodes[0]).toMatchObject({ reason: null, burst: { failures: 3 } });
    const timeless = testNodes(LATER_RUN, failuresAt("bad", [null, null, null]));
    expect(timeless.nodes[0]?.burst?.failures).toBe(3);
  });

  test("is ranked the same however the cells are cut or ordered", () => {
    const whole = testNodes(LATER_RUN, null);
    const cut = LATER_RUN.flatMap((cell) => [
      { ...cell, rollouts: cell.rollouts - 1, failed: {} },
      { ...cell, rollouts: 1, failed: {} },
    ]);
    const parts = cells([
      ["bad", 3, 3],
      ["bad", 6, 0],
    ]).concat(cut.filter((cell) => cell.node !== "bad"));
    expect(testNodes(parts.reverse(), null)).toEqual(whole);
  });
});
