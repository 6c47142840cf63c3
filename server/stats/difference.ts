/** Two independent rates: their difference with Newcombe's interval, and Fisher's exact test. */
import { hypergeometric } from "./hypergeometric";
import { requireCounts, wilson } from "./proportion";

/** k of n in one group. */
export interface Count {
  k: number;
  n: number;
}

/**
 * `a` − `b` of two rates with the hybrid score interval (Newcombe 1998, method 10: the Wilson intervals of both, combined);
 * null when either has no data. Throws `invalid` when a count is none.
 */
export function newcombe(a: Count, b: Count): Bounded | null {
  const first = wilson(a.k, a.n);
  const second = wilson(b.k, b.n);
  if (first === null || second === null) return null;
  return combineIntervals(first, second);
}

/** An estimate with its interval. */
export interface Bounded {
  value: number;
  low: number;
  high: number;
}

/** `a` − `b` from the intervals of both (Zou & Donner 2008, MOVER): Newcombe's step for intervals of any make. */
export function combineIntervals(a: Bounded, b: Bounded): Bounded {
  const value = a.value - b.value;
  return {
    value,
    low: value - Math.hypot(a.value - a.low, b.high - b.value),
    high: value + Math.hypot(a.high - a.value, b.value - b.low),
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
