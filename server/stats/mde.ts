/**
 * How small a difference two runs could have shown. Two-sided test of two proportions, normal approximation with the
 * pooled variance under no difference (Fleiss, Levin & Paik 2003, §4.2, without continuity correction):
 * |p1 − p2| = z(1−α/2)·√(p̄(1−p̄)(1/n1 + 1/n2)) + z(power)·√(p1(1−p1)/n1 + p2(1−p2)/n2).
 */
import { CoalmineError } from "@/server/domain/errors";
import { normalQuantile } from "./normal";

export const MDE_FORMULA =
  "two proportions, normal approximation, variance pooled under no difference (Fleiss, Levin & Paik 2003, §4.2, no continuity correction)";

export interface Power {
  /** Chance to see a real difference; default 0.8. */
  power?: number;
  /** Two-sided level; default 0.05. */
  alpha?: number;
  /** Rollouts of one task are alike: counts are divided by this (≥ 1); default 1. */
  designEffect?: number;
}

/** Largest arm that a needed size is given for: beyond it the honest answer is "not by rollouts". */
const MOST = 10_000_000;

/**
 * Smallest decrease (or increase) of the rate from `baseline` that n1 against n2 rollouts would show, as a fraction;
 * null when no such change could be shown. Throws `invalid` on a rate outside 0…1 or a size below 1.
 */
export function minimumDetectable(
  baseline: number,
  n1: number,
  n2: number,
  direction: "decrease" | "increase",
  options: Power = {},
): number | null {
  requireRate(baseline);
  requireSize(n1);
  requireSize(n2);
  const most = direction === "decrease" ? baseline : 1 - baseline;
  const sign = direction === "decrease" ? -1 : 1;
  const shown = (change: number): boolean => change >= noise(baseline, baseline + sign * change, n1, n2, options);
  if (most <= 0 || !shown(most)) return null;
  return bisect(0, most, shown);
}

/** Rollouts per arm needed to show `p1` against `p2`; null when they are equal or it would take more than 10 million. */
export function neededPerArm(p1: number, p2: number, options: Power = {}): number | null {
  requireRate(p1);
  requireRate(p2);
  const change = Math.abs(p1 - p2);
  // Both terms shrink with the root of n, so the size follows from the noise of single rollouts.
  const perArm = change === 0 ? Number.POSITIVE_INFINITY : (noise(p1, p2, 1, 1, options) / change) ** 2;
  return perArm <= MOST ? Math.max(1, Math.ceil(perArm)) : null;
}

function noise(p1: number, p2: number, n1: number, n2: number, options: Power): number {
  const { power = 0.8, alpha = 0.05, designEffect = 1 } = options;
  const [m1, m2] = [n1 / Math.max(1, designEffect), n2 / Math.max(1, designEffect)];
  const pooled = (m1 * p1 + m2 * p2) / (m1 + m2);
  const none = Math.sqrt(pooled * (1 - pooled) * (1 / m1 + 1 / m2));
  const real = Math.sqrt((p1 * (1 - p1)) / m1 + (p2 * (1 - p2)) / m2);
  return normalQuantile(1 - alpha / 2) * none + normalQuantile(power) * real;
}

function bisect(low: number, high: number, holds: (x: number) => boolean): number {
  let [no, yes] = [low, high];
  for (let i = 0; i < 60; i++) {
    const middle = (no + yes) / 2;
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

function requireRate(p: number): void {
  if (!(p >= 0 && p <= 1)) throw new CoalmineError("invalid", `${p} is no rate`);
}

function requireSize(n: number): void {
  if (!Number.isFinite(n) || n < 1) throw new CoalmineError("invalid", `${n} is no number of rollouts`);
}
