/** What a ladder of gaps says: the danger window, and one sentence. Pure. */
import type { Rate } from "@/server/domain/rate";
import { percent, plural } from "@/server/stats/percent";
import { wilson } from "@/server/stats/proportion";
import type { GapRow } from "./idle-gap";

/** Gaps between which reuse failed, in seconds; `aboveS` is the longest that went well below it. */
export interface Danger {
  fromS: number;
  toS: number;
  aboveS: number | null;
  /** Profiles that met it. */
  profiles: string[];
}

/** Null when no reuse failed. */
export function dangerOf(rows: readonly Pick<GapRow, "profile" | "gapS" | "failed" | "reused">[]): Danger | null {
  const bad = rows.filter((row) => row.failed > 0);
  if (bad.length === 0) return null;
  const fromS = Math.min(...bad.map((row) => row.gapS));
  const profiles = [...new Set(bad.map((row) => row.profile))];
  const well = rows.filter(
    (row) => row.failed === 0 && row.reused > 0 && row.gapS < fromS && profiles.includes(row.profile),
  );
  return {
    fromS,
    toS: Math.max(...bad.map((row) => row.gapS)),
    aboveS: well.length > 0 ? Math.max(...well.map((row) => row.gapS)) : null,
    profiles,
  };
}

export function gapSentence(rows: readonly GapRow[], danger: Danger | null): string {
  const names = [...new Set(rows.map((row) => row.profile))];
  if (names.length === 0) return "The target did not answer, so no socket could be kept.";
  if (!danger) return `No kept socket failed. ${names.map((name) => lostBy(name, rows, null)).join("; ")}.`;
  const hit = (name: string) => danger.profiles.includes(name);
  const lost = names.filter(hit).map((name) => lostBy(name, rows, danger));
  const safe = names.filter((name) => !hit(name)).map((name) => lostBy(name, rows, null));
  return `Kept sockets failed after ${windowText(danger)} of idleness. ${[...lost, ...safe].join("; ")}.`;
}

function windowText({ fromS, toS }: Danger): string {
  return fromS === toS ? `${fromS} s` : `${fromS}–${toS} s`;
}

/** `unbounded: 30 of 30 reuses failed there, 100 % (88.7–100 %)`; without a window over all gaps. */
function lostBy(profile: string, rows: readonly GapRow[], danger: Danger | null): string {
  const own = rows.filter(
    (row) => row.profile === profile && (!danger || (row.gapS >= danger.fromS && row.gapS <= danger.toS)),
  );
  const rate = wilson(sumOf(own, "failed"), sumOf(own, "reused"));
  if (rate === null) return `${profile}: no socket was used again`;
  const size = rate.k === 0 ? `at most ${percent(rate.high)}` : `${percent(rate.value)}, ${range(rate)}`;
  return `${profile}: ${rate.k} of ${plural(rate.n, "reuse")} failed${danger ? " there" : ""} (${size})`;
}

function range({ low, high }: Rate): string {
  return `interval ${(low * 100).toFixed(1)}–${percent(high)}`;
}

function sumOf(rows: readonly GapRow[], field: "reused" | "failed"): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}
