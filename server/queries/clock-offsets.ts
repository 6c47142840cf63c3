/** How far the clocks of two sources lie apart, estimated from what both say of the same event. Pure. */
import type { Observation } from "@/server/domain/facts";
import type { SourceClock } from "@/server/domain/rollout-detail";

/** Two lines of one event are written within this time, clocks apart included. */
const WITHIN_MS = 60_000;
const SECOND_MS = 1000;

type Timed = Observation & { at: number };

/**
 * One entry per source that shares events with the reference: the source with most shared events, by name where equal.
 * The offset is the median of (its time − the reference's), so it holds what the message took on its way as well; one
 * pair is shown as one pair. Rollout records are left out: their time is not that of what they tell.
 */
export function clockOffsets(observations: readonly Observation[]): SourceClock[] {
  const bySource = new Map<string, Timed[]>();
  for (const one of observations) {
    if (one.at === null || one.atAssumed || one.evidence.layer === "record" || eventOf(one) === null) continue;
    const key = JSON.stringify([one.evidence.layer, one.source]);
    bySource.set(key, [...(bySource.get(key) ?? []), one as Timed]);
  }
  const sources = [...bySource].sort(([a], [b]) => (a < b ? -1 : 1));
  const shared = (mine: readonly Timed[]) =>
    sources.reduce((sum, [, other]) => sum + (other === mine ? 0 : deltas(mine, other).length), 0);
  const ranked = sources.map(([key, mine]) => ({ key, mine, n: shared(mine) })).sort((a, b) => b.n - a.n);
  const [reference] = ranked;
  if (!reference || reference.n === 0) return [];
  return ranked.slice(1).flatMap(({ key, mine }) => clockOf(key, mine, reference) ?? []);
}

function clockOf(
  key: string,
  mine: readonly Timed[],
  reference: { key: string; mine: readonly Timed[] },
): SourceClock | null {
  const found = deltas(reference.mine, mine).sort((a, b) => a - b);
  if (found.length === 0) return null;
  const [layer = "", source = ""] = JSON.parse(key) as string[];
  const [referenceLayer = "", referenceSource = ""] = JSON.parse(reference.key) as string[];
  const resolutionMs = Math.max(resolution(mine), resolution(reference.mine));
  const offsetMs = median(found);
  return {
    layer,
    source,
    reference: { layer: referenceLayer, source: referenceSource },
    offsetMs,
    spreadMs: (found.at(-1) ?? 0) - (found[0] ?? 0),
    pairs: found.length,
    resolutionMs,
    apart: Math.abs(offsetMs) > resolutionMs,
  };
}

/** Times of `b` minus those of `a`, of events that both tell of: each line of `a` with the nearest free line of `b`. */
function deltas(a: readonly Timed[], b: readonly Timed[]): number[] {
  const free = new Set(b);
  return [...a]
    .sort((x, y) => x.at - y.at)
    .flatMap((one) => {
      let nearest: Timed | null = null;
      for (const other of free) {
        const distance = Math.abs(other.at - one.at);
        if (distance > WITHIN_MS || eventOf(other) !== eventOf(one)) continue;
        if (nearest === null || distance < Math.abs(nearest.at - one.at)) nearest = other;
      }
      if (nearest === null) return [];
      free.delete(nearest);
      return [nearest.at - one.at];
    });
}

/** What a line tells of, alike in all sources; null for what cannot be told apart. */
function eventOf({ class: id, evidence }: Observation): string | null {
  if (evidence.status !== undefined && evidence.status >= 400) return `status ${evidence.status}`;
  return id;
}

/** Whole seconds are written as such: their times are up to one second early. */
function resolution(observations: readonly Timed[]): number {
  return observations.every((one) => one.at % SECOND_MS === 0) ? SECOND_MS : 1;
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}
