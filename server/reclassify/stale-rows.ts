/** Goes through everything that other rules judged, delivery by delivery, in chunks between which others get their turn. */
import type { Classifier } from "@/server/classify/classifier";
import type { Judgement, StoredObservation } from "@/server/domain/judgement";
import type { Store } from "@/server/domain/store";
import { isChanged, rejudged } from "./rejudged";

export interface StaleRow extends StoredObservation {
  judgement: Judgement;
  /** The judgement is not what is stored. */
  changed: boolean;
}

export interface StaleChunk {
  rows: StaleRow[];
  /** The delivery, when this is its last chunk. */
  done: string | null;
}

const CHUNK = 500;

export async function* staleRows(
  store: Store,
  classifier: Classifier,
  signal: AbortSignal,
  /** Of which deliveries; default all. */
  isWanted: (batch: string) => boolean = () => true,
): AsyncGenerator<StaleChunk> {
  for (const batch of (await store.judgedOtherwise(classifier.version)).batches) {
    if (!isWanted(batch)) continue;
    const format = (await store.batch(batch))?.format ?? "";
    let cursor: string | null = null;
    do {
      signal.throwIfAborted();
      const page: { items: StoredObservation[]; next: string | null } = await store.rowsJudgedOtherwise(
        batch,
        classifier.version,
        { limit: CHUNK, cursor },
      );
      cursor = page.next;
      const rows = page.items.map((one) => {
        const judgement = rejudged(classifier, one.observation, format);
        return { ...one, judgement, changed: isChanged(one.observation, judgement) };
      });
      yield { rows, done: cursor === null ? batch : null };
      await new Promise((resolve) => setImmediate(resolve));
    } while (cursor !== null);
  }
}
