import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ComparedRun, compareRuns } from "@/server/compare/compare-runs";
import { FAMILIES, VERDICTS } from "@/server/domain/taxonomy-words";
import { BASELINE } from "./example-runs";

const SEED = 12;

describe("any two runs", () => {
  const rollout = fc.record({
    task: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
    index: fc.integer({ min: 0, max: 3 }),
    verdict: fc.constantFrom(...VERDICTS),
    family: fc.constantFrom(...FAMILIES, null),
    reward: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  });
  const anyRun = fc.array(rollout, { maxLength: 40 }).map((rollouts): ComparedRun => ({ ...BASELINE, rollouts }));

  test("compare without surprise: intervals hold their estimates, and swapping turns every sign", () => {
    fc.assert(
      fc.property(anyRun, anyRun, (a, b) => {
        const [one, other] = [compareRuns(a, b, SEED), compareRuns(b, a, SEED)];
        for (const [i, { unpaired, paired }] of one.metrics.entries()) {
          for (const estimate of [unpaired, paired]) {
            if (estimate?.low == null || estimate.high == null) continue;
            expect(estimate.low).toBeLessThanOrEqual(estimate.difference + 1e-9);
            expect(estimate.high).toBeGreaterThanOrEqual(estimate.difference - 1e-9);
          }
          expect(other.metrics[i]?.unpaired?.difference ?? 0).toBeCloseTo(-(unpaired?.difference ?? 0), 9);
          expect(other.metrics[i]?.paired?.difference ?? 0).toBeCloseTo(-(paired?.difference ?? 0), 9);
        }
        expect(one.pairs.shared).toBe(other.pairs.shared);
        expect(one.sentence.endsWith(".")).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
