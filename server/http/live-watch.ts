/** The moves of a store's data version: asked for once for all readers, and only while there are any. */
import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "@/server/domain/store";

/** How often the version is looked at. Another process may write too, so asking is the only way that holds everywhere. */
export const LOOK_MS = 700;

export class StoreWatch {
  /** Who follows the store now. */
  readers = 0;
  /** Of them, who read lines along. */
  tails = 0;
  private asked: Promise<number> | null = null;
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: Pick<Store, "dataVersion">,
    private readonly lookMs = LOOK_MS,
  ) {}

  /** Resolves to the version as soon as it is another than `known`; when the signal aborts, to `known`. Never rejects. */
  async changed(known: number, signal: AbortSignal): Promise<number> {
    while (!signal.aborted) {
      // A store that does not answer now may do so later; health tells of it, not this.
      const version = await this.look().catch(() => known);
      if (version !== known) return version;
      await pause(this.lookMs, undefined, { signal }).catch(() => undefined);
    }
    return known;
  }

  private look(): Promise<number> {
    const now = performance.now();
    if (this.asked === null || now - this.askedAt >= this.lookMs) {
      this.askedAt = now;
      this.asked = this.store.dataVersion();
    }
    return this.asked;
  }
}

const watches = new WeakMap<Store, StoreWatch>();

export function watchOf(store: Store): StoreWatch {
  const watch = watches.get(store) ?? new StoreWatch(store);
  watches.set(store, watch);
  return watch;
}
