/** Two runs compared rollout by rollout, fed from the store. */
import type { CompareAnswer } from "@/server/compare/answer";
import { type ComparedRun, compareRuns } from "@/server/compare/compare-runs";
import type { ComparedRollout } from "@/server/compare/rollout-values";
import type { Store } from "@/server/domain/store";
import { DEFAULT_SEED } from "@/server/stats/bootstrap";
import type { HeavyWork } from "./heavy-work";

/** A run's side but for its rollouts. */
export type Side = Omit<ComparedRun, "rollouts"> & { labels: string[] };

const PAGE = 1000;

export async function comparedRuns(
  { store, keeper }: HeavyWork,
  { baseline, candidate }: { baseline: Side; candidate: Side },
): Promise<CompareAnswer> {
  const sides = { baseline: await withRollouts(store, baseline), candidate: await withRollouts(store, candidate) };
  return keeper.kept("compare", sides, (both) => compareRuns(both.baseline, both.candidate, DEFAULT_SEED));
}

async function withRollouts(store: Store, { labels, ...side }: Side): Promise<ComparedRun> {
  const rollouts: ComparedRollout[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.listRollouts({ runs: labels }, { limit: PAGE, cursor: cursor ?? null });
    for (const { task, index, verdict, family, reward } of page.items) {
      rollouts.push({ task, index, verdict, family, reward });
    }
    cursor = page.next;
  }
  return { ...side, rollouts };
}
