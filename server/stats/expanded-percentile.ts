/**
 * Which percentiles of the resampled means make a 95 % interval. The plain 2.5 % and 97.5 % are too close for few tasks:
 * resampling shrinks the variance by (n−1)/n and knows no t distribution. Expanded percentiles (Hesterberg 2015, "What
 * teachers should know about the bootstrap") take Φ(−√(n/(n−1))·t) instead; with many tasks they are the plain ones.
 */
import { normalProbability, normalQuantile } from "./normal";

const TAIL = 0.025;

/** Share of resamples to leave off at either end, for n ≥ 2 tasks. */
export function tailShare(tasks: number): number {
  return normalProbability(-Math.sqrt(tasks / (tasks - 1)) * studentQuantile(1 - TAIL, tasks - 1));
}

/** Quantile of Student's t by its expansion around the normal one (Abramowitz & Stegun 26.7.5); within 0.3 % from 4 degrees of freedom on. */
export function studentQuantile(p: number, freedom: number): number {
  const z = normalQuantile(p);
  const z2 = z * z;
  const terms = [
    1,
    (z2 + 1) / 4,
    ((5 * z2 + 16) * z2 + 3) / 96,
    (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
    ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92_160,
  ];
  return z * terms.reduceRight((sum, term) => sum / freedom + term, 0);
}
