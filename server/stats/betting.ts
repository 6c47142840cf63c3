/**
 * Anytime-valid lower bound of a failure rate by betting (Waudby-Smith & Ramdas 2024, "Estimating means of bounded random
 * variables by betting", J. R. Stat. Soc. B 86:1–27; the mixture goes back to Robbins 1970). Against "the rate is at most m"
 * one bets a fixed share g of the money on every failure at fair odds 1/m: money grows by 1 − g + g/m on a failure and
 * shrinks by 1 − g otherwise. Were the claim true, the money would be a supermartingale, so by Ville's inequality it ever
 * reaches 1/α with chance at most α, however often one looks and whenever one stops.
 */
import { requireCounts } from "./proportion";

/** The shares bet side by side, each with the same money: 1/2 … 1/512, fit for rates from twice to barely above m. */
const SHARES = Array.from({ length: 9 }, (_, i) => 0.5 ** (i + 1));

export const BETTING_SOURCE =
  "betting confidence sequence, mixture of fixed bets (Waudby-Smith & Ramdas 2024; Robbins 1970)";

/** ln of the money after k failures in n rollouts against "the rate is at most m", for 0 < m < 1. Order does not matter. */
export function logWealth(k: number, n: number, m: number): number {
  let most = Number.NEGATIVE_INFINITY;
  const logs = SHARES.map((share) => {
    const log = k * Math.log1p(share / m - share) + (n - k) * Math.log1p(-share);
    if (log > most) most = log;
    return log;
  });
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / SHARES.length);
}

/**
 * Lower bound of the rate that holds at all times at once with confidence 1 − α; 0 while nothing failed.
 * Throws `invalid` when k or n is no count.
 */
export function anytimeLowerBound(k: number, n: number, alpha: number): number {
  requireCounts(k, n);
  if (k === 0) return 0;
  const enough = -Math.log(alpha);
  let [refuted, open] = [0, k / n];
  // The money falls as m rises, so what is refuted is an interval from 0.
  for (let i = 0; i < 60; i++) {
    const middle = (refuted + open) / 2;
    if (logWealth(k, n, middle) >= enough) refuted = middle;
    else open = middle;
  }
  return refuted;
}
