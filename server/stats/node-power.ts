/** How bad a node must be for this many rollouts to show it: the other half of "no node stands out". */
import { binomialAtLeast } from "./binomial";
import { hypergeometric } from "./hypergeometric";
import type { NodeTest } from "./node-outliers";

export interface SmallestExcess {
  /** Failures that would have made it a suspect, were it the only one. */
  failures: number;
  /** Failure rate that is found in 80 % of cases. */
  rate: number;
  /** `rate` over that of all other nodes; null when those never failed. */
  times: number | null;
}

const POWER = 0.8;
const LEVEL = 0.05;
const FEWEST_FAILURES = 3;

/**
 * What the node's own number of rollouts could have shown among `tested` nodes, its strata pooled (an approximation);
 * null when not even a node that fails every rollout would be found.
 */
export function smallestExcess(node: Pick<NodeTest, "strata">, tested: number): SmallestExcess | null {
  const total = (pick: (stratum: NodeTest["strata"][number]) => number): number =>
    node.strata.reduce((sum, stratum) => sum + pick(stratum), 0);
  const [rollouts, here] = [total((s) => s.rollouts), total((s) => s.here)];
  const elsewhere = total((s) => s.failures - s.seen);
  for (let k = FEWEST_FAILURES; k <= here; k++) {
    const { from, terms } = hypergeometric(rollouts, elsewhere + k, here);
    const p = terms.slice(Math.max(0, k - from)).reduceRight((sum, term) => sum + term, 0);
    if (p > LEVEL / Math.max(1, tested)) continue;
    const rate = rateFoundWith(k, here);
    const base = rollouts === here ? 0 : elsewhere / (rollouts - here);
    return { failures: k, rate, times: base === 0 ? null : rate / base };
  }
  return null;
}

/** Rate at which n rollouts give at least k failures in 80 % of cases. */
function rateFoundWith(k: number, n: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (binomialAtLeast(k, n, middle) >= POWER) high = middle;
    else low = middle;
  }
  return high;
}
