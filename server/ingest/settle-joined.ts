/** Deriving after an append or an undo, of records that are whole: those that were cut between deliveries are joined first. */
import type { Classifier } from "@/server/classify/classifier";
import { settleQueued as deriveQueued } from "@/server/derive/settle-queued";
import type { Store } from "@/server/domain/store";
import { joinPieces } from "./pieces/join-pieces";

const classifiers = new WeakMap<Store, Classifier>();

/** What judges the records that are joined in this store; until then the built-in rules alone. */
export function judgeJoinedBy(store: Store, classifier: Classifier): void {
  classifiers.set(store, classifier);
}

/** Resolves when everything that was queued before this call is joined and derived. */
export async function settleQueued(store: Store): Promise<number> {
  await joinPieces(store, classifiers.get(store));
  return deriveQueued(store);
}
