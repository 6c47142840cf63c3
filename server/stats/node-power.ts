/** How bad a node must be for this many rollouts to show it: the other half of "no node stands out". */
import { binomialAtLeast } from "./binomial";
import type { NodeTest } from "./node-outliers";
import { atLeast } from "./stratified-permutation";

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
  const level = LEVEL / Math.max(1, tested);
  const isFound = (k: number): boolean => atLeast([{ rollouts, failures: elsewhere + k, here }], k) <= level;
  const k = firstFrom(FEWEST_FAILURES, here, isFound);
  if (k === null) return null;
  const rate = rateFoundWith(k, here);
  const base = rollouts === here ? 0 : elsewhere / (rollouts - here);
  return { failures: k, rate, times: base === 0 ? null : rate / base };
}

/** The least whole number from `least` to `most` of which `holds`, which from there on always does; null when of none. */
function firstFrom(least: number, most: number, holds: (k: number) => boolean): number | null {
  if (least > most || !holds(most)) return null;
  let [low, high] = [least, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
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
