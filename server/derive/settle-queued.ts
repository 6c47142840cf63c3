/** Deriving after an append. One at a time per store: two that run at once could each take the other's newer evidence off the queue. */
import type { Store } from "@/server/domain/store";
import { settleAll } from "./settle";

interface Turn {
  running: Promise<number>;
  /** The call that will run next; all who come while one is running share it. */
  next: Promise<number> | null;
}

const turns = new WeakMap<Store, Turn>();

/** Resolves when everything that was queued before this call is derived. */
export function settleQueued(store: Store): Promise<number> {
  const turn = turns.get(store);
  if (!turn) return begin(store);
  turn.next ??= turn.running.then(
    () => begin(store),
    () => begin(store),
  );
  return turn.next;
}

function begin(store: Store): Promise<number> {
  const turn: Turn = { running: settleAll(store), next: null };
  turns.set(store, turn);
  const done = () => {
    if (turns.get(store) === turn && turn.next === null) turns.delete(store);
  };
  turn.running.then(done, done);
  return turn.running;
}
