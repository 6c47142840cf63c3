/** Rows of a ladder of idle gaps: from the result, or while it goes on from the newest points. Pure. */
import type { Rate } from "@/server/domain/rate";

export interface GapPoint {
  profile: string;
  gapS: number;
  reused: number;
  failed: number;
  rate: Rate | null;
}

export function gapRows(
  detail: Record<string, unknown> | null,
  points: readonly Record<string, unknown>[],
): GapPoint[] {
  const rows = Array.isArray(detail?.rows) ? (detail.rows as Record<string, unknown>[]) : points;
  const newest = new Map<string, GapPoint>();
  for (const row of rows) {
    const { profile, gapS, reused, failed, rate } = row as unknown as GapPoint;
    if (typeof profile === "string" && typeof gapS === "number") {
      newest.set(`${profile} ${gapS}`, { profile, gapS, reused, failed, rate: rate ?? null });
    }
  }
  return [...newest.values()].sort((a, b) => a.gapS - b.gapS || (a.profile < b.profile ? -1 : 1));
}

/** Gaps are spread by ratio: the difference of 0.5 and 1 s is as wide as that of 30 and 60 s. */
export function placeGap(gapS: number, gaps: readonly number[], left: number, right: number): number {
  const low = Math.log(Math.max(0.05, Math.min(...gaps)));
  const high = Math.log(Math.max(0.05, ...gaps));
  const share = high > low ? (Math.log(Math.max(0.05, gapS)) - low) / (high - low) : 0.5;
  return Math.round((left + share * (right - left)) * 10) / 10;
}

/** Gaps that get a label: from the left, each far enough from the last. */
export function labelledGaps(gaps: readonly number[], xOf: (gap: number) => number, apart: number): number[] {
  const kept: number[] = [];
  for (const gap of [...new Set(gaps)].sort((a, b) => a - b)) {
    const last = kept.at(-1);
    if (last === undefined || xOf(gap) - xOf(last) >= apart) kept.push(gap);
  }
  return kept;
}
