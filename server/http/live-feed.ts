/** What one reader is told. Nothing is queued: a reader who takes their time is told of what is then the newest state. */
import type { LiveEvent, LiveTopic } from "@/server/domain/live";
import type { Store } from "@/server/domain/store";
import { watchOf } from "./live-watch";

export interface LiveAsked {
  topics: readonly LiveTopic[];
  /** The version that the reader's answers are of; null when they do not know. */
  since: number | null;
}

/** Ends when the signal aborts. */
export async function* liveFeed(
  store: Store,
  { topics, since }: LiveAsked,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent> {
  const watch = watchOf(store);
  watch.readers++;
  try {
    let version = await store.dataVersion();
    let deliveries = await deliveriesMark(store);
    yield { id: version, type: "hello" };
    if (since !== null && since !== version) yield* told(version, topics);
    for (;;) {
      version = await watch.changed(version, signal);
      if (signal.aborted) return;
      const mark = await deliveriesMark(store);
      yield* told(
        version,
        topics.filter((topic) => topic !== "deliveries" || mark !== deliveries),
      );
      deliveries = mark;
    }
  } finally {
    watch.readers--;
  }
}

function* told(id: number, topics: readonly LiveTopic[]): Generator<LiveEvent> {
  for (const topic of topics) if (topic !== "tail") yield { id, type: topic };
}

/** Equal as long as the newest deliveries are the same, as far as anyone is shown. */
async function deliveriesMark(store: Store): Promise<string> {
  const { items } = await store.batches({}, { limit: 50, cursor: null });
  return JSON.stringify(items.map(({ id, state, records, rejected }) => [id, state, records, rejected]));
}
