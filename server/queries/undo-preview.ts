/** What undoing a delivery, a run or the demo would remove. */

import type { BatchFilter, ObservationFilter } from "@/server/domain/evidence-filters";
import type { UndoAnswer } from "@/server/domain/product-answers";
import type { RolloutFilter, Store } from "@/server/domain/store";
import { requireBatch } from "./batches";
import { requireRun } from "./run-directory";

/** Throws `not_found`. Counts are the delivery's own; what another delivery brought too stays. */
export async function undoBatchPreview(store: Store, input: { id: string }): Promise<UndoAnswer> {
  const batch = await requireBatch(store, input.id);
  return { preview: true, batches: 1, rollouts: batch.rollouts, observations: batch.observations };
}

/** Throws `not_found`. `batches` counts deliveries sent for this run alone. */
export async function undoRunPreview(store: Store, input: { run: string }): Promise<UndoAnswer> {
  const { scope } = await requireRun(store, input.run);
  return count(store, { runs: scope.labels });
}

export async function undoDemoPreview(store: Store): Promise<UndoAnswer> {
  return count(store, { origins: ["demo"] });
}

async function count(store: Store, filter: BatchFilter & RolloutFilter & ObservationFilter): Promise<UndoAnswer> {
  const rollouts = await store.countRollouts({ ...filter, effectiveOnly: false }, []);
  const observations = await store.countObservations(filter);
  return {
    preview: true,
    batches: await countBatches(store, filter),
    rollouts: rollouts.reduce((sum, row) => sum + row.n, 0),
    observations: observations.reduce((sum, row) => sum + row.n, 0),
  };
}

async function countBatches(store: Store, filter: BatchFilter): Promise<number> {
  let n = 0;
  let cursor: string | null = null;
  do {
    const page: { items: unknown[]; next: string | null } = await store.batches(filter, { limit: 1000, cursor });
    n += page.items.length;
    cursor = page.next;
  } while (cursor !== null);
  return n;
}
