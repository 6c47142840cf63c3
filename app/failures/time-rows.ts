/** Groups by time as bars: one a bucket, empty ones too, the newest that fit. Pure. */
import { type CountedFamily, FAMILY_ORDER, sumFamilies } from "@/app/_ui/families";
import type { FailureGroup, FamilyCounts } from "@/server/domain/answers";

const STEP_MS = { hour: 3_600_000, day: 86_400_000 };
export const MOST_BARS = 168;

export interface TimeGroup {
  at: string;
  incidents: number;
  byFamily: FamilyCounts;
}

/** Without a family all incidents count as `other`, so that one colour draws them. `left`: incidents before the first bar. */
export function timeRows(groups: readonly FailureGroup[], dim: "hour" | "day"): { rows: TimeGroup[]; left: number } {
  const step = STEP_MS[dim];
  const timed = groups.flatMap((group) => (group.key[dim] == null ? [] : [{ at: Date.parse(group.key[dim]), group }]));
  if (timed.length === 0) return { rows: [], left: 0 };
  const last = Math.max(...timed.map(({ at }) => at));
  const first = Math.max(Math.min(...timed.map(({ at }) => at)), last - (MOST_BARS - 1) * step);
  const rows = new Map<number, TimeGroup>();
  for (let at = first; at <= last; at += step) {
    rows.set(at, { at: new Date(at).toISOString(), incidents: 0, byFamily: sumFamilies([]) });
  }
  let left = 0;
  for (const { at, group } of timed) {
    const row = rows.get(at);
    if (row === undefined) left += group.incidents;
    else {
      row.incidents += group.incidents;
      row.byFamily[familyOf(group)] += group.incidents;
    }
  }
  return { rows: [...rows.values()], left };
}

function familyOf(group: FailureGroup): CountedFamily {
  return FAMILY_ORDER.find((family) => family === group.key.family) ?? "other";
}
