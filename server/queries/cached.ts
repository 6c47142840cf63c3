/** Answers kept while the store's data version stands: equal versions mean equal answers. */
import type { Store } from "@/server/domain/store";

interface Kept {
  version: number;
  answers: Map<string, Promise<unknown>>;
}

/** Answers kept per store: bounds memory to the pages that are open. */
const MOST = 500;
const byStore = new WeakMap<Store, Kept>();

/** The answer to `key` under the present data version, computed once. A failure is not kept. */
export async function cached<T>(store: Store, key: string, compute: () => Promise<T>): Promise<T> {
  const version = await store.dataVersion();
  let kept = byStore.get(store);
  if (!kept || kept.version !== version || kept.answers.size >= MOST) {
    kept = { version, answers: new Map() };
    byStore.set(store, kept);
  }
  const known = kept.answers.get(key);
  if (known) return known as Promise<T>;
  const { answers } = kept;
  const answer = compute();
  answers.set(key, answer);
  answer.catch(() => answers.delete(key));
  return answer;
}
