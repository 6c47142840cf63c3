import { test } from "vitest";
import type { Store } from "@/server/domain/store";

/** A test on a store of its own. */
export function storeTest(open: () => Promise<Store>) {
  return (name: string, body: (store: Store) => Promise<void>): void => {
    test(name, async () => {
      const store = await open();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    });
  };
}
