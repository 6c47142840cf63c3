/** What a crash leaves behind: half a delivery, half an undo, evidence that was stored and not derived. */
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { settleQueued } from "./settle-joined";

/** Call once at start, before the first delivery. Returns how many unfinished deliveries it removed. */
export async function recover(store: Store): Promise<number> {
  let dropped = 0;
  for (;;) {
    const { items } = await store.batches({ states: ["receiving", "undoing"] }, { limit: 100, cursor: null });
    if (items.length === 0) break;
    for (const batch of items) {
      await dropKnown(store, batch.id);
      dropped++;
    }
  }
  await settleQueued(store);
  return dropped;
}

async function dropKnown(store: Store, id: string): Promise<void> {
  try {
    await store.dropBatch(id);
  } catch (error) {
    if (!(error instanceof CoalmineError && error.code === "not_found")) throw error;
  }
}
