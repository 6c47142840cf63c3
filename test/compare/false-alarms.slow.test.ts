import { describe, expect, test } from "vitest";
import { compareMetric } from "@/server/compare/compare-metric";
import { pairUp } from "@/server/compare/pairing";
import { type ComparedRollout, METRICS, type Metric } from "@/server/compare/rollout-values";
import { SeededRandom } from "@/server/stats/seeded-random";

const INFRA = METRICS[0] as Metric;

/** Two runs of the same tasks; each task has its own risk, the same in both. */
function twoRuns(random: SeededRandom, tasks: number, each: number, riskOf: (random: SeededRandom) => number) {
  const risks = Array.from({ length: tasks }, () => riskOf(random));
  const draw = (): ComparedRollout[] =>
    risks.flatMap((risk, t) =>
      Array.from({ length: each }, (_, index): ComparedRollout => {
        const lost = random.next() < risk;
        return { task: `t${t}`, index, verdict: lost ? "infra_failed" : "passed", family: null, reward: Number(!lost) };
      }),
    );
  return { baseline: draw(), candidate: draw() };
}

/** Share of comparisons without a difference that the headline calls better or worse. */
function falseAlarms(
  runs: number,
  seed: number,
  tasks: number,
  each: number,
  riskOf: (random: SeededRandom) => number,
) {
  const random = new SeededRandom(seed);
  let alarms = 0;
  for (let i = 0; i < runs; i++) {
    const { baseline, candidate } = twoRuns(random, tasks, each, riskOf);
    // The headline is unpaired, so no pairs are made.
    const { verdict } = compareMetric(INFRA, baseline, candidate, pairUp([], []), i);
    if (verdict === "better" || verdict === "worse") alarms++;
  }
  return alarms / runs;
}

/** 5 %, and two standard errors of that many comparisons. */
function atMost(runs: number): number {
  return 0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs);
}

describe("the headline of two runs without a difference is wrong in at most 5 %, within Monte Carlo error,", () => {
  test("of 1 000 comparisons of 80 tasks × 4, every rollout at 10 %", () => {
    expect(falseAlarms(1000, 1, 80, 4, () => 0.1)).toBeLessThanOrEqual(atMost(1000));
  });

  test("of 150 comparisons of 80 tasks × 4, a fifth of the tasks at 50 %, the others never", () => {
    expect(falseAlarms(150, 2, 80, 4, (random) => (random.next() < 0.2 ? 0.5 : 0))).toBeLessThanOrEqual(atMost(150));
  });
});
