/** Rows of a ladder of idle gaps: from the result, or while it goes on from the newest points. Pure. */
import type { Rate } from "@/server/domain/rate";

export interface GapPoint {
  profile: string;
  gapS: number;
  sent: number;
  /** Of those sent, on the kept socket. */
  reused: number;
  /** Of the reused ones. */
  failed: number;
  /** Of the fresh ones. */
  failedFresh: number;
  /** Failures among the reused; null when none was reused. */
  rate: Rate | null;
}

/** Sockets were too old to be used again, so each try opened a fresh one. */
export function freshOnly({ sent, reused }: Pick<GapPoint, "sent" | "reused">): boolean {
  return sent > 0 && reused === 0;
}

export function gapRows(
  detail: Record<string, unknown> | null,
  points: readonly Record<string, unknown>[],
): GapPoint[] {
  const rows = Array.isArray(detail?.rows) ? (detail.rows as Record<string, unknown>[]) : points;
  const newest = new Map<string, GapPoint>();
  for (const row of rows) {
    const { profile, gapS, reused, failed, sent, failedFresh, rate } = row as unknown as Partial<GapPoint>;
    if (typeof profile !== "string" || typeof gapS !== "number") continue;
    const counts = { sent: sent ?? reused ?? 0, reused: reused ?? 0, failed: failed ?? 0 };
    newest.set(`${profile} ${gapS}`, { profile, gapS, ...counts, failedFresh: failedFresh ?? 0, rate: rate ?? null });
  }
  return [...newest.values()].sort((a, b) => a.gapS - b.gapS || (a.profile < b.profile ? -1 : 1));
}

/** Middle of a gap's column; `gaps` are all that were tried, ascending, and their columns are equally wide. */
export function placeGap(gapS: number, gaps: readonly number[], left: number, right: number): number {
  const at = Math.max(0, gaps.indexOf(gapS));
  return Math.round((left + ((at + 0.5) / Math.max(1, gaps.length)) * (right - left)) * 10) / 10;
}
