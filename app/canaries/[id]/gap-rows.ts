/** Rows of a ladder of idle gaps: from the result, or while it goes on from the newest points. Pure. */
import { percentRange, plural } from "@/app/_ui/format";
import type { Rate } from "@/server/domain/rate";
import { wilson } from "@/server/stats/proportion";

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
  /** Failures by class. */
  classes: Record<string, number>;
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
    const { profile, gapS, reused, failed, sent, failedFresh, rate, classes } = row as unknown as Partial<GapPoint>;
    if (typeof profile !== "string" || typeof gapS !== "number") continue;
    const counts = { sent: sent ?? reused ?? 0, reused: reused ?? 0, failed: failed ?? 0 };
    const went = { failedFresh: failedFresh ?? 0, rate: rate ?? null, classes: classes ?? {} };
    newest.set(`${profile} ${gapS}`, { profile, gapS, ...counts, ...went });
  }
  return [...newest.values()].sort((a, b) => a.gapS - b.gapS || (a.profile < b.profile ? -1 : 1));
}

/** Middle of a gap's column; `gaps` are all that were tried, ascending, and their columns are equally wide. */
export function placeGap(gapS: number, gaps: readonly number[], left: number, right: number): number {
  const at = Math.max(0, gaps.indexOf(gapS));
  return Math.round((left + ((at + 0.5) / Math.max(1, gaps.length)) * (right - left)) * 10) / 10;
}

/** What the picture shows, for who reads it: by profile, in the danger window and outside of it, and what the failures were. */
export function gapWords(
  rows: readonly GapPoint[],
  profiles: readonly string[],
  danger: { fromS: number; toS: number } | null,
): string {
  const inside = (row: GapPoint) => danger !== null && row.gapS >= danger.fromS && row.gapS <= danger.toS;
  const said = profiles.map((profile) => {
    const own = rows.filter((row) => row.profile === profile && row.reused > 0);
    const both = own.some(inside);
    const parts = both ? [own.filter(inside), own.filter((row) => !inside(row))] : [own];
    const words = parts.map((part, i) => lostText(part, both ? (i === 0 ? "in" : "outside") : null));
    return `${profile}: ${words.filter((word) => word !== null).join(", ") || "no socket was used again"}.`;
  });
  const classes = [...new Set(rows.flatMap((row) => Object.keys(row.classes)))];
  return [...said, ...(classes.length > 0 ? [`Failures: ${classes.join(", ")}.`] : [])].join(" ");
}

function lostText(rows: readonly GapPoint[], where: "in" | "outside" | null): string | null {
  const [failed, reused] = [rows.reduce((n, row) => n + row.failed, 0), rows.reduce((n, row) => n + row.reused, 0)];
  const rate = wilson(failed, reused);
  if (rate === null) return null;
  const place = where === null ? "" : where === "in" ? " in the danger window" : " outside of it";
  return `${failed} of ${plural(reused, "reuse")} failed${place} (${percentRange(rate.low, rate.high)})`;
}
