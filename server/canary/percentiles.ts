import type { Percentiles } from "@/server/domain/canary";

/** Nearest-rank percentiles of values in ms, rounded to 0.01; null without any. */
export function percentilesOf(values: readonly number[]): Percentiles | null {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
  if (sorted.length === 0) return null;
  return { n: sorted.length, min: at(0), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
