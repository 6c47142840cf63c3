/** Which families of failure went away and which came. */

import { FAMILIES } from "@/server/domain/taxonomy-words";
import { fisherExact, newcombe } from "@/server/stats/difference";
import { benjaminiHochberg } from "@/server/stats/multiple";
import { wilson } from "@/server/stats/proportion";
import type { FamilyComparison } from "./answer";
import { type ComparedRollout, isFinished } from "./rollout-values";

/** Families in the order of the charts; all of them, also those that never occurred. Empty when a run has no finished rollout. */
export function compareFamilies(
  baseline: readonly ComparedRollout[],
  candidate: readonly ComparedRollout[],
): FamilyComparison[] {
  const found = FAMILIES.flatMap((family) => {
    if (family === "none") return [];
    const [a, b] = [lostTo(family, baseline), lostTo(family, candidate)];
    const [before, after, difference] = [wilson(a.k, a.n), wilson(b.k, b.n), newcombe(a, b)];
    if (before === null || after === null || difference === null) return [];
    const { value, low, high } = difference;
    return [{ family, baseline: before, candidate: after, difference: value, low, high, p: fisherExact(a, b) }];
  });
  const occurred = found.filter(({ baseline, candidate }) => baseline.k + candidate.k > 0);
  const q = benjaminiHochberg(occurred.map(({ p }) => p));
  return found.map((one) => ({ ...one, q: q[occurred.indexOf(one)] ?? 1 }));
}

function lostTo(family: string, rollouts: readonly ComparedRollout[]): { k: number; n: number } {
  const finished = rollouts.filter(isFinished);
  // A lost rollout always has a family; one without counts as other, so that the families add up.
  const lost = finished.filter((one) => one.verdict === "infra_failed" && (one.family ?? "other") === family);
  return { k: lost.length, n: finished.length };
}
