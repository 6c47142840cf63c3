/** Records of a delivery that could not be read, with the line and the reason. */
import type { List } from "@/server/domain/answers";
import type { RejectAnswer } from "@/server/domain/reject-answer";
import type { Page, Store } from "@/server/domain/store";
import { requireBatch } from "./batches";

/** Throws `not_found` for an unknown delivery. */
export async function rejects(store: Store, input: { batch: string; page: Page }): Promise<List<RejectAnswer>> {
  await requireBatch(store, input.batch);
  const found = await store.rejects(input.batch, input.page);
  return {
    items: found.items.map(({ line, code, message, sample }) => ({ line, code, message, sample })),
    next: found.next,
  };
}
