/** Reinforcement learning compares the rollouts of a group with each other; one bad sample spoils the group. */
import { CoalmineError } from "@/server/domain/errors";
import type { Rate } from "@/server/domain/rate";
import { requireCounts, wilson } from "./proportion";

/** One group (all rollouts of a prompt in one step): its size, and how many of it were lost to infrastructure. */
export interface Group {
  size: number;
  lost: number;
}

export interface GroupWaste {
  /** Groups with at least one lost rollout, counted. */
  spoilt: Rate;
  /** Median group size. */
  size: number;
  /** Spoilt share if the lost rollouts had been spread independently: below `spoilt` they bunch, and waste less. */
  independent: number;
}

/** `1 − (1 − p)^g`: share of groups of size g with at least one of its rollouts lost. Throws `invalid` on p outside 0…1 or g < 1. */
export function wasteOf(lossRate: number, groupSize: number): number {
  if (!(lossRate >= 0 && lossRate <= 1) || !Number.isSafeInteger(groupSize) || groupSize < 1) {
    throw new CoalmineError("invalid", `a loss rate of ${lossRate} in groups of ${groupSize} makes no sense`);
  }
  return -Math.expm1(groupSize * Math.log1p(-lossRate));
}

/** Waste of the groups that there were; null without any. Throws `invalid` on a non-count. */
export function groupWaste(groups: readonly Group[]): GroupWaste | null {
  for (const group of groups) requireCounts(group.lost, group.size);
  const real = groups.filter((group) => group.size > 0);
  const spoilt = wilson(real.filter((group) => group.lost > 0).length, real.length);
  if (spoilt === null) return null;
  const lost = real.reduce((sum, group) => sum + group.lost, 0);
  const rate = lost / real.reduce((sum, group) => sum + group.size, 0);
  const independent = real.reduce((sum, group) => sum + wasteOf(rate, group.size), 0) / real.length;
  const sizes = real.map((group) => group.size).sort((a, b) => a - b);
  return { spoilt, size: sizes[Math.floor(sizes.length / 2)] ?? 0, independent };
}
