/** The methods against made-up fleets whose truth is known. Populations are named; all is seeded. */
import { describe, expect, test } from "vitest";
import { binomialTerm } from "@/server/stats/binomial";
import { bootstrapOverTasks } from "@/server/stats/bootstrap";
import { resampledDifference } from "@/server/stats/bootstrap-difference";
import { clusteredRate } from "@/server/stats/design-effect";
import { newcombe } from "@/server/stats/difference";
import type { NodeCell } from "@/server/stats/node-cells";
import { testNodes } from "@/server/stats/node-outliers";
import { SeededRandom } from "@/server/stats/seeded-random";

interface Population {
  nodes: number;
  rollouts: number;
  /** Failure rate of each stratum. */
  rates: number[];
  /** Node 0 fails so many times as often. */
  times: number;
}

/** Rollouts fall on nodes at random and fail independently. */
function fleet(random: SeededRandom, { nodes, rollouts, rates, times }: Population): NodeCell[] {
  return rates.flatMap((rate, s) => {
    const count = Array.from({ length: nodes }, () => ({ rollouts: 0, failed: 0 }));
    for (let i = 0; i < rollouts / rates.length; i++) {
      const at = Math.floor(random.next() * nodes);
      const cell = count[at];
      if (cell === undefined) continue;
      cell.rollouts++;
      if (random.next() < Math.min(1, at === 0 ? rate * times : rate)) cell.failed++;
    }
    return count.map((cell, i) => ({
      stratum: `s${s}`,
      node: `n${String(i).padStart(2, "0")}`,
      rollouts: cell.rollouts,
      failed: { disconnect: cell.failed },
    }));
  });
}

function shareOfFleets(fleets: number, seed: number, population: Population, counts: (suspects: string[]) => boolean) {
  const random = new SeededRandom(seed);
  let hits = 0;
  for (let i = 0; i < fleets; i++) if (counts(testNodes(fleet(random, population), null).suspects)) hits++;
  return hits / fleets;
}

describe("the node test", () => {
  test("flags any node in at most 5 % of 1 000 healthy fleets of 24 nodes, 400 rollouts, 5 %", () => {
    const healthy = { nodes: 24, rollouts: 400, rates: [0.05], times: 1 };
    expect(shareOfFleets(1000, 1, healthy, (suspects) => suspects.length > 0)).toBeLessThanOrEqual(0.05);
  });

  test("flags any node in at most 5 % of 1 000 healthy fleets of 12 nodes, 1 200 rollouts at 2, 8 and 25 %", () => {
    const healthy = { nodes: 12, rollouts: 1200, rates: [0.02, 0.08, 0.25], times: 1 };
    expect(shareOfFleets(1000, 2, healthy, (suspects) => suspects.length > 0)).toBeLessThanOrEqual(0.05);
  });

  test("finds one node at eight times the rate in at least 75 % of 1 000 fleets of 24 nodes, 400 rollouts, 5 %", () => {
    const sick = { nodes: 24, rollouts: 400, rates: [0.05], times: 8 };
    expect(shareOfFleets(1000, 3, sick, (suspects) => suspects.includes("n00"))).toBeGreaterThanOrEqual(0.75);
  });
});

/** Task i passes with its own probability, spread evenly over 0.1 … 0.9: the truth is 0.5. */
function passes(random: SeededRandom, tasks: number, attempts: number): { sum: number; n: number }[] {
  return Array.from({ length: tasks }, () => {
    const p = 0.1 + 0.8 * random.next();
    let sum = 0;
    for (let i = 0; i < attempts; i++) if (random.next() < p) sum++;
    return { sum, n: attempts };
  });
}

describe("the bootstrap over tasks", () => {
  test("covers the truth in 93 to 97 % of 600 runs of 50 tasks × 4, tasks even over 0.1 … 0.9", () => {
    const random = new SeededRandom(4);
    let covered = 0;
    for (let i = 0; i < 600; i++) {
      const mean = bootstrapOverTasks(passes(random, 50, 4), "meanOfTaskMeans", i);
      if (mean?.low !== null && mean?.high !== null && mean && mean.low <= 0.5 && 0.5 <= mean.high) covered++;
    }
    expect(covered / 600).toBeGreaterThanOrEqual(0.93);
    expect(covered / 600).toBeLessThanOrEqual(0.97);
  });

  test("takes over where Wilson's interval is too narrow: 300 runs of 60 tasks × 5, a tenth of the tasks always lost", () => {
    const random = new SeededRandom(5);
    let [covered, naive] = [0, 0];
    for (let i = 0; i < 300; i++) {
      const tasks = Array.from({ length: 60 }, () => ({ k: random.next() < 0.1 ? 5 : 0, n: 5 }));
      const rate = clusteredRate(tasks, i);
      if (rate && rate.rate.low <= 0.1 && 0.1 <= rate.rate.high) covered++;
      if (rate && rate.naive.low <= 0.1 && 0.1 <= rate.naive.high) naive++;
    }
    expect(covered / 300).toBeGreaterThanOrEqual(0.9);
    expect(naive / 300).toBeLessThan(0.75);
  });
});

describe("a comparison", () => {
  /** Chance that two runs at the same rate are called different, added up over every possible pair of counts. */
  function falseAlarms(n1: number, n2: number, rate: number): number {
    let alarms = 0;
    for (let k1 = 0; k1 <= n1; k1++) {
      for (let k2 = 0; k2 <= n2; k2++) {
        const chance = binomialTerm(k1, n1, rate) * binomialTerm(k2, n2, rate);
        if (chance < 1e-12) continue;
        const difference = newcombe({ k: k1, n: n1 }, { k: k2, n: n2 });
        if (difference && (difference.low > 0 || difference.high < 0)) alarms += chance;
      }
    }
    return alarms;
  }

  test.each([0.02, 0.05, 0.1, 0.13])(
    "of 316 with 288 rollouts, both at %d, is wrong in at most 5 %, exactly",
    (rate) => {
      expect(falseAlarms(316, 288, rate)).toBeLessThanOrEqual(0.05);
    },
  );

  test("of resampled tasks calls a difference in at most 5 % (within Monte Carlo error) of 200 without one: 50 shared tasks × 4", () => {
    const random = new SeededRandom(7);
    let alarms = 0;
    for (let i = 0; i < 200; i++) {
      const tasks = Array.from({ length: 50 }, () => {
        const p = 0.1 + 0.8 * random.next();
        const draw = () => ({ sum: Array.from({ length: 4 }, () => random.next()).filter((x) => x < p).length, n: 4 });
        return { a: draw(), b: draw() };
      });
      const difference = resampledDifference(tasks, "meanOfTaskMeans", i);
      if (difference?.low !== null && difference && (difference.low > 0 || (difference.high ?? 0) < 0)) alarms++;
    }
    expect(alarms / 200).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 200));
  });
});
