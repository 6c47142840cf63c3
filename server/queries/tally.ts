/** Adds up counted rollouts: how many finished, how many of them infrastructure ended, and by which family. */

import type { FamilyCounts } from "@/server/domain/answers";
import type { Rate } from "@/server/domain/rate";
import type { RolloutCount, RolloutDim } from "@/server/domain/store";
import { wilson } from "@/server/stats/proportion";

export interface Tally {
  rollouts: number;
  /** Verdict passed, failed, infra_failed or not_scored: the denominator of rates. */
  finished: number;
  infraFailed: number;
  byFamily: FamilyCounts;
}

export function noFamilies(): FamilyCounts {
  return { disconnect: 0, proxy: 0, oom: 0, startup: 0, scheduling: 0, node: 0, other: 0 };
}

export function emptyTally(): Tally {
  return { rollouts: 0, finished: 0, infraFailed: 0, byFamily: noFamilies() };
}

/** One dimension's value of a counted row; null when the value is unknown or the dimension was not asked for. */
export function dimOf(row: Pick<RolloutCount, "key">, dims: readonly string[], dim: string): string | null {
  const at = dims.indexOf(dim);
  return at < 0 ? null : (row.key[at] ?? null);
}

/** `dims` must hold `verdict` and `family`. */
export function addTo(tally: Tally, row: RolloutCount, dims: readonly RolloutDim[]): void {
  const verdict = dimOf(row, dims, "verdict");
  tally.rollouts += row.n;
  if (verdict !== null && verdict !== "missing") tally.finished += row.n;
  if (verdict !== "infra_failed") return;
  tally.infraFailed += row.n;
  tally.byFamily[familyOf(dimOf(row, dims, "family"))] += row.n;
}

/** Tallies per value of `by`, in the order in which values first appear. */
export function tallyBy(rows: readonly RolloutCount[], dims: readonly RolloutDim[], by: RolloutDim) {
  const tallies = new Map<string | null, Tally>();
  for (const row of rows) {
    const value = dimOf(row, dims, by);
    const tally = tallies.get(value) ?? emptyTally();
    tallies.set(value, tally);
    addTo(tally, row, dims);
  }
  return tallies;
}

export function tallyAll(rows: readonly RolloutCount[], dims: readonly RolloutDim[]): Tally {
  const tally = emptyTally();
  for (const row of rows) addTo(tally, row, dims);
  return tally;
}

export function infraRate(tally: Tally): Rate | null {
  return wilson(tally.infraFailed, tally.finished);
}

/** A lost rollout always has a family; one that the store does not name counts as `other`, so that the sum holds. */
export function familyOf(family: string | null): keyof FamilyCounts {
  return family !== null && family in noFamilies() ? (family as keyof FamilyCounts) : "other";
}
