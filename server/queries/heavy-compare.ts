/** Two runs compared rollout by rollout, fed from the store. */
import type { CompareAnswer } from "@/server/compare/answer";
import { type ComparedRun, compareRuns } from "@/server/compare/compare-runs";
import type { Store } from "@/server/domain/store";
import { DEFAULT_SEED } from "@/server/stats/bootstrap";
import type { HeavyWork } from "./heavy-work";

/** A run's side but for its rollouts. */
export type Side = Omit<ComparedRun, "rollouts"> & { labels: string[] };

interface Sides {
  baseline: Side;
  candidate: Side;
}

export async function comparedRuns(
  { store, keeper }: HeavyWork,
  { baseline, candidate }: Sides,
): Promise<CompareAnswer> {
  const sides = { baseline: await withRollouts(store, baseline), candidate: await withRollouts(store, candidate) };
  return keeper.kept("compare", sides, (both) => compareRuns(both.baseline, both.candidate, DEFAULT_SEED));
}

/** All that needs no resampling. */
export async function comparedExactly({ store }: HeavyWork, { baseline, candidate }: Sides): Promise<CompareAnswer> {
  return compareRuns(await withRollouts(store, baseline), await withRollouts(store, candidate), null);
}

async function withRollouts(store: Store, { labels, ...side }: Side): Promise<ComparedRun> {
  return { ...side, rollouts: await store.rolloutOutcomes(labels) };
}
