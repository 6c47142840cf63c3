/** Two independent rates: their difference with Newcombe's interval, and Fisher's exact test. */
import { hypergeometric } from "./hypergeometric";
import { requireCounts, wilson } from "./proportion";

/** An estimated difference with its 95 % interval, in the unit of what was compared; no interval is null. */
export interface Difference {
  value: number;
  low: number | null;
  high: number | null;
}

/** k of n in one group. */
export interface Count {
  k: number;
  n: number;
}

/**
 * `a` − `b` of two rates with the hybrid score interval (Newcombe 1998, method 10: the Wilson intervals of both, combined);
 * null when either has no data. Throws `invalid` when a count is none.
 */
export function newcombe(a: Count, b: Count): (Difference & { low: number; high: number }) | null {
  const first = wilson(a.k, a.n);
  const second = wilson(b.k, b.n);
  if (first === null || second === null) return null;
  const value = first.value - second.value;
  return {
    value,
    low: value - Math.hypot(first.value - first.low, second.high - second.value),
    high: value + Math.hypot(first.high - first.value, second.value - second.low),
  };
}

/** Probabilities this close count as equally unlikely, so that rounding does not split mirror images. */
const TIE = 1 + 1e-7;

/** Fisher's exact two-sided p: all tables with these margins that are no likelier than this one. 1 when a group is empty. */
export function fisherExact(a: Count, b: Count): number {
  requireCounts(a.k, a.n);
  requireCounts(b.k, b.n);
  const { from, terms } = hypergeometric(a.n + b.n, a.k + b.k, a.n);
  const seen = (terms[a.k - from] ?? 0) * TIE;
  return Math.min(
    1,
    terms.reduce((sum, term) => (term <= seen ? sum + term : sum), 0),
  );
}
