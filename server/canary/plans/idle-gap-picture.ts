/** What a ladder of gaps says: the danger window, and one sentence. Pure. */
import { percent, plural } from "@/server/stats/percent";
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
  const parts = names.map((name) => {
    const own = rows.filter((row) => row.profile === name);
    const [reused, failed] = [sumOf(own, "reused"), sumOf(own, "failed")];
    return `${name}: ${failed} of ${plural(reused, "reuse")} failed${reused > 0 ? ` (${percent(failed / reused)})` : ""}`;
  });
  if (parts.length === 0) return "The target did not answer, so no socket could be kept.";
  if (!danger) return `No kept socket failed. ${parts.join("; ")}.`;
  const where = danger.fromS === danger.toS ? `after ${danger.fromS} s` : `after ${danger.fromS}–${danger.toS} s`;
  return `Kept sockets failed ${where} of idleness. ${parts.join("; ")}.`;
}

function sumOf(rows: readonly GapRow[], field: "reused" | "failed"): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}
