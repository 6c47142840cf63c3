/** Answers kept while the data version stands, of the store or of the runs that they are about: equal versions mean equal answers. */
import type { Store } from "@/server/domain/store";

/** A store with what is already known of it under one data version, read once for a whole question. */
export interface Memo {
  store: Store;
  /**
   * The answer to `key`, computed once per data version. A failure is not kept. `compute` is given a memo that never
   * answers with what is old, so that no new answer is made of old parts.
   */
  once<T>(key: string, compute: (memo: Memo) => Promise<T>): Promise<T>;
  /** The same for answers about just these run labels: they stand while only others change. */
  ofRuns(labels: readonly string[]): Promise<Memo>;
}

interface Kept {
  version: number;
  /** Monotonic ms at which computing began, and how long it took; null while it does. */
  began: number;
  tookMs: number | null;
  answer: Promise<unknown>;
}

/** Answers kept per store: a handful for each of a thousand runs. */
const MOST = 5000;
/** An answer that took longer is costly: while data pours in, a question that allows it may see the one before, up to this old. */
const COSTLY_MS = 200;
const OLD_MS = 5000;
const byStore = new WeakMap<Store, Map<string, Kept>>();

interface MemoOptions {
  /** Costly answers may be up to 5 s behind, so that pages over everything stay fast during ingest. */
  mayBeOld?: boolean;
  /** What is asked is about just these run labels. */
  runs?: readonly string[];
}

export async function memoOf(store: Store, { mayBeOld = false, runs }: MemoOptions = {}): Promise<Memo> {
  return memoAt(store, await store.dataVersion(runs && [...runs]), mayBeOld);
}

function memoAt(store: Store, version: number, mayBeOld: boolean): Memo {
  const answers = byStore.get(store) ?? new Map<string, Kept>();
  byStore.set(store, answers);
  const make = (old: boolean, inside: () => Memo): Memo => ({
    store,
    once: (key, compute) => onceIn(answers, version, key, () => compute(inside()), old),
    async ofRuns(labels) {
      // The version of a run stands as long as that of the store does: lists of many runs need not ask for each.
      const key = `version ${JSON.stringify(labels)}`;
      return memoAt(store, await onceIn(answers, version, key, () => store.dataVersion([...labels]), false), old);
    },
  });
  const strict: Memo = make(false, () => strict);
  return mayBeOld ? make(true, () => strict) : strict;
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
