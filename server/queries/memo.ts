/** Answers kept while the store's data version stands: equal versions mean equal answers. */
import type { Store } from "@/server/domain/store";

/** A store with what is already known of it under one data version, read once for a whole question. */
export interface Memo {
  store: Store;
  /**
   * The answer to `key`, computed once per data version. A failure is not kept. `compute` is given a memo that never
   * answers with what is old, so that no new answer is made of old parts.
   */
  once<T>(key: string, compute: (memo: Memo) => Promise<T>): Promise<T>;
}

interface Kept {
  version: number;
  /** Monotonic ms at which computing began, and how long it took; null while it does. */
  began: number;
  tookMs: number | null;
  answer: Promise<unknown>;
}

/** Answers kept per store: bounds memory to the pages that are open. */
const MOST = 1000;
/** An answer that took longer is costly: while data pours in, a question that allows it may see the one before, up to this old. */
const COSTLY_MS = 200;
const OLD_MS = 5000;
const byStore = new WeakMap<Store, Map<string, Kept>>();

/** `mayBeOld`: costly answers may be up to 5 s behind, so that pages over everything stay fast during ingest. */
export async function memoOf(store: Store, options: { mayBeOld?: boolean } = {}): Promise<Memo> {
  const version = await store.dataVersion();
  const answers = byStore.get(store) ?? new Map<string, Kept>();
  byStore.set(store, answers);
  const strict: Memo = { store, once: (key, compute) => onceIn(answers, version, key, () => compute(strict), false) };
  if (!options.mayBeOld) return strict;
  return { store, once: (key, compute) => onceIn(answers, version, key, () => compute(strict), true) };
}

function onceIn<T>(
  answers: Map<string, Kept>,
  version: number,
  key: string,
  compute: () => Promise<T>,
  mayBeOld: boolean,
): Promise<T> {
  const known = answers.get(key);
  if (known?.version === version) return known.answer as Promise<T>;
  const usable = mayBeOld && known !== undefined && isRecent(known);
  const fresh = keep(answers, key, version, compute, usable ? known : undefined);
  return (usable ? known.answer : fresh) as Promise<T>;
}

function isRecent({ began, tookMs }: Kept): boolean {
  return tookMs !== null && tookMs > COSTLY_MS && performance.now() - began - tookMs < OLD_MS;
}

/** Computes and keeps; with an answer `before`, that one stays until the new one is there. */
function keep(
  answers: Map<string, Kept>,
  key: string,
  version: number,
  compute: () => Promise<unknown>,
  before: Kept | undefined,
): Promise<unknown> {
  if (before && refreshing.has(before)) return before.answer;
  if (before) refreshing.add(before);
  const entry: Kept = { version, began: performance.now(), tookMs: null, answer: compute() };
  if (!before) store(answers, key, entry);
  const done = () => {
    entry.tookMs = performance.now() - entry.began;
    if (before) store(answers, key, entry);
  };
  const failed = () => {
    if (answers.get(key) === entry) answers.delete(key);
    if (before) refreshing.delete(before);
  };
  entry.answer.then(done, failed);
  return entry.answer;
}

/** Old answers that a newer one is being computed for. */
const refreshing = new WeakSet<Kept>();

function store(answers: Map<string, Kept>, key: string, entry: Kept): void {
  answers.delete(key);
  answers.set(key, entry);
  const [oldest] = answers.keys();
  if (answers.size > MOST && oldest !== undefined) answers.delete(oldest);
}
