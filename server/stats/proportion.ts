/** Rates: k of n with the Wilson score interval (Wilson 1927), which stays inside [0, 1] and honest for small counts. */
import { CoalmineError } from "@/server/domain/errors";
import type { Rate } from "@/server/domain/rate";

/** Two-sided 95 % point of the normal distribution. */
export const Z95 = 1.959963984540054;

/** Refuses counts that are no counts: whole numbers with 0 ≤ k ≤ n. */
export function requireCounts(k: number, n: number): void {
  if (!Number.isSafeInteger(k) || !Number.isSafeInteger(n) || k < 0 || k > n) {
    throw new CoalmineError("invalid", `${k} of ${n} is no rate: both must be whole numbers with 0 ≤ k ≤ n`);
  }
}

/**
 * k of n as a rate with its Wilson 95 % interval, in fractions; null for 0 of 0.
 * Throws `invalid` when k or n is no count.
 */
export function wilson(k: number, n: number): Rate | null {
  requireCounts(k, n);
  return n === 0 ? null : { k, n, value: k / n, ...wilsonInterval(k / n, n) };
}

/** Wilson's 95 % interval of a share `value` seen in `n` > 0 independent trials; n may be an effective size, not whole. */
export function wilsonInterval(value: number, n: number): { low: number; high: number } {
  const z2 = Z95 * Z95;
  const centre = (value + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((value * (1 - value)) / n + z2 / (4 * n * n));
  // The ends are exact at 0 and 1; rounding must not move them past the estimate.
  return {
    low: value === 0 ? 0 : Math.max(0, Math.min(value, centre - half)),
    high: value === 1 ? 1 : Math.min(1, Math.max(value, centre + half)),
  };
}
