/** When a run is no valid measurement (taxonomy.md §4). */
import type { Rate } from "@/server/domain/rate";

const MOST_INFRA = 0.2;
const MOST_UNKNOWN = 0.1;
/** From this many finished rollouts on the value itself decides; below, only the interval's low end. */
const ENOUGH = 30;

/** Pure. `reason` is one plain sentence, null when the run is valid. */
export function runValidity(infra: Rate | null, unknown: Rate | null): { ok: boolean; reason: string | null } {
  if (infra === null) return { ok: false, reason: "No rollout has finished yet." };
  const reasons: string[] = [];
  if (passes(infra, MOST_INFRA)) {
    reasons.push(`infrastructure ended ${percent(infra.value)} of the rollouts, more than 20 %`);
  }
  if (unknown !== null && passes(unknown, MOST_UNKNOWN)) {
    reasons.push(`${percent(unknown.value)} ended by an error that no rule explains, more than 10 %`);
  }
  if (reasons.length === 0) return { ok: true, reason: null };
  return { ok: false, reason: `Not a valid measurement: ${reasons.join(", and ")}.` };
}

function passes(rate: Rate, most: number): boolean {
  return rate.low > most || (rate.n >= ENOUGH && rate.value > most);
}

/** A fraction as a percentage with one decimal: `13.0 %`. */
export function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`;
}
