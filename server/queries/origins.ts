/** Which origins a question over all runs reads: the made-up demo fleet only as long as there is nothing real. */
import type { Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";

/** `fleet` once any real delivery was kept, else the demo too. Canary evidence only when asked for. */
export async function defaultOrigins(store: Store): Promise<Origin[]> {
  return (await hasBatches(store, "fleet")) ? ["fleet"] : ["fleet", "demo"];
}

export async function hasBatches(store: Store, origin: Origin): Promise<boolean> {
  const page = await store.batches({ origins: [origin] }, { limit: 1, cursor: null });
  return page.items.length > 0;
}
