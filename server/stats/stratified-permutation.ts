/**
 * Exact stratified permutation test: had the failures of each stratum fallen at random on that stratum's rollouts, how
 * often would one group see at least as many? Within a stratum that is hypergeometric; strata are convolved.
 */
import { type Distribution, hypergeometric } from "./hypergeometric";

/** One stratum (a run under one config) and the tested group's part of it. */
export interface Stratum {
  rollouts: number;
  failures: number;
  /** Rollouts of the tested group among `rollouts`. */
  here: number;
}

/** Probabilities below this are not carried on: far below any p-value that is told apart from 0. */
const NEGLIGIBLE = 1e-30;

/** Distributions already worked out: nodes of one stratum often have equally many rollouts. */
export type KnownDraws = Map<string, Distribution>;

/** Failures that the group would see on average. */
export function expectedFailures(strata: readonly Stratum[]): number {
  return strata.reduce((sum, s) => (s.rollouts === 0 ? sum : sum + (s.here * s.failures) / s.rollouts), 0);
}

/** P(X ≥ k) for the sum over strata. The tail is added up on its own, so that a tiny p keeps its digits. Throws `invalid` on non-counts. */
export function atLeast(strata: readonly Stratum[], k: number, known: KnownDraws = new Map()): number {
  if (k <= 0) return 1;
  return Math.min(1, convolve(strata, k, known).tail);
}

/** P(X = 0) … P(X = k − 1), and all the rest as `tail`. */
export function convolve(
  strata: readonly Stratum[],
  k: number,
  known: KnownDraws,
): { below: Float64Array; tail: number } {
  let below: Float64Array = new Float64Array(k);
  below[0] = 1;
  let tail = 0;
  for (const stratum of strata) {
    if (stratum.here === 0 || stratum.failures === 0) continue;
    const one = drawOf(stratum, known);
    const next = addStratum(below, one);
    tail += next.tail;
    below = next.below;
  }
  return { below, tail };
}

function drawOf({ rollouts, failures, here }: Stratum, known: KnownDraws): Distribution {
  const key = `${rollouts} ${failures} ${here}`;
  const found = known.get(key) ?? hypergeometric(rollouts, failures, here, NEGLIGIBLE);
  known.set(key, found);
  return found;
}

function addStratum(below: Float64Array, one: Distribution): { below: Float64Array; tail: number } {
  const k = below.length;
  const next = new Float64Array(k);
  const upper = upperTails(one.terms);
  let tail = 0;
  for (let x = 0; x < k; x++) {
    const mass = below[x] as number;
    if (mass < NEGLIGIBLE) continue;
    const room = k - x - one.from;
    const within = Math.min(one.terms.length, Math.max(0, room));
    for (let i = 0; i < within; i++) {
      const at = x + one.from + i;
      next[at] = (next[at] as number) + mass * (one.terms[i] as number);
    }
    tail += mass * (room <= 0 ? 1 : (upper[room] ?? 0));
  }
  return { below: next, tail };
}

/** `upper[i]` = sum of the terms from i on, added from the small end. */
function upperTails(terms: Float64Array): Float64Array {
  const upper = new Float64Array(terms.length + 1);
  for (let i = terms.length - 1; i >= 0; i--) upper[i] = (upper[i + 1] as number) + (terms[i] as number);
  return upper;
}
