/** Deliveries, newest first. */
import type { BatchAnswer, List } from "@/server/domain/answers";
import type { Batch } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import type { BatchFilter } from "@/server/domain/evidence-filters";
import type { Page, Store } from "@/server/domain/store";
import { iso } from "./iso";
import { labelsFor, readDirectory } from "./run-directory";

export async function batches(store: Store, input: BatchFilter & { page: Page }): Promise<List<BatchAnswer>> {
  const { page, ...filter } = input;
  const runs = labelsFor(await readDirectory(store), filter.runs);
  const found = await store.batches({ ...filter, runs }, page);
  return { items: found.items.map(batchAnswer), next: found.next };
}

/** Throws `not_found`. */
export async function requireBatch(store: Store, id: string): Promise<Batch> {
  const batch = await store.batch(id);
  if (!batch) throw new CoalmineError("not_found", `There is no delivery "${id}".`);
  return batch;
}

export function batchAnswer(batch: Batch): BatchAnswer {
  const { digest: _digest, receivedAt, completedAt, ...shown } = batch;
  return { ...shown, receivedAt: iso(receivedAt), completedAt: iso(completedAt) };
}
