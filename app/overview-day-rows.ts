/** The days of the overview as bars: days without rollouts too, so that the axis tells time. Pure. */
import { sumFamilies } from "@/app/_ui/families";
import type { Overview } from "@/server/domain/answers";

type Day = Overview["days"][number];

const DAY_MS = 86_400_000;
/** A longer span shows only the days that it has. */
export const MOST_DAYS = 45;

/** `days` in order of time, each at UTC midnight. */
export function dayRows(days: readonly Day[]): Day[] {
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last) return [];
  const from = Date.parse(first.at);
  const n = Math.round((Date.parse(last.at) - from) / DAY_MS) + 1;
  if (n > MOST_DAYS) return [...days];
  const known = new Map(days.map((day) => [Date.parse(day.at), day]));
  return Array.from({ length: n }, (_, i) => {
    const at = from + i * DAY_MS;
    return (
      known.get(at) ?? { at: new Date(at).toISOString(), rollouts: 0, infraFailed: null, byFamily: sumFamilies([]) }
    );
  });
}
