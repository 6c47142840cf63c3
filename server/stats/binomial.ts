/** Tails of the binomial distribution, summed from exact terms. */
import { logChoose } from "./log-gamma";

/** Terms this small beside the sum change nothing in double precision. */
const NEGLIGIBLE = 1e-18;

/** P(X = k) for n trials of probability p. */
export function binomialTerm(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return 0;
  if (p <= 0) return k === 0 ? 1 : 0;
  if (p >= 1) return k === n ? 1 : 0;
  return Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
}

/** P(X ≥ k). */
export function binomialAtLeast(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n || p <= 0) return 0;
  if (p >= 1) return 1;
  // Away from the mean a tail is summed outwards, so that a small one keeps all its digits.
  return k > n * p ? sumUp(k, n, p) : 1 - sumDown(k - 1, n, p);
}

/** P(X ≤ k). */
export function binomialAtMost(k: number, n: number, p: number): number {
  return binomialAtLeast(n - k, n, 1 - p);
}

function sumUp(from: number, n: number, p: number): number {
  const odds = p / (1 - p);
  let term = binomialTerm(from, n, p);
  let sum = 0;
  for (let i = from; i <= n && term > sum * NEGLIGIBLE; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * odds;
  }
  return sum;
}

function sumDown(from: number, n: number, p: number): number {
  const odds = (1 - p) / p;
  let term = binomialTerm(from, n, p);
  let sum = 0;
  for (let i = from; i >= 0 && term > sum * NEGLIGIBLE; i--) {
    sum += term;
    term *= (i / (n - i + 1)) * odds;
  }
  return sum;
}
