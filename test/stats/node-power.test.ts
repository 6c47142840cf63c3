import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hypergeometric } from "@/server/stats/hypergeometric";
import { smallestExcess } from "@/server/stats/node-power";

const strata = (rollouts: number, here: number, elsewhere: number) => [
  { name: "run", rollouts, failures: elsewhere, here, seen: 0 },
];

/** Every number of failures tried, one after the other. */
function byTrying(rollouts: number, here: number, elsewhere: number, tested: number): number | null {
  for (let k = 3; k <= here; k++) {
    const { from, terms } = hypergeometric(rollouts, elsewhere + k, here);
    const p = terms.slice(Math.max(0, k - from)).reduceRight((sum, term) => sum + term, 0);
    if (p <= 0.05 / tested) return k;
  }
  return null;
}

describe("the smallest excess that a node's rollouts could have shown", () => {
  test("is the least number of failures that would have made it a suspect", () => {
    const counts = fc.tuple(fc.nat(60), fc.nat(200), fc.nat(80), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(counts, ([here, others, failed, tested]) => {
        const elsewhere = Math.min(failed, others);
        const found = smallestExcess({ strata: strata(here + others, here, elsewhere) }, tested);
        expect(found?.failures ?? null).toBe(byTrying(here + others, here, elsewhere, tested));
      }),
    );
  });

  test("is null for a node that ran everything: there is nothing to compare it with", () => {
    expect(smallestExcess({ strata: strata(500, 500, 0) }, 1)).toBeNull();
  });

  test("of a node with many rollouts lies close above what all others lose", () => {
    const found = smallestExcess({ strata: strata(1_000_000, 20_000, 49_000) }, 48);
    expect(found?.times).toBeGreaterThan(1);
    expect(found?.times).toBeLessThan(1.2);
  });
});
