/** What one reader is told. Nothing is queued: a reader who takes their time is told of what is then the newest state. */
import type { LiveEvent, LiveTopic } from "@/server/domain/live";
import type { SearchInput } from "@/server/queries/search-scope";
import { watchOf } from "./live-watch";
import { type HttpServices, readingIn } from "./services";

export interface LiveAsked {
  topics: readonly LiveTopic[];
  /** The version that the reader's answers are of; null when they do not know. */
  since: number | null;
  /** Which lines the topic `tail` is about. */
  lines: SearchInput;
}

/** Ends when the signal aborts. */
export async function* liveFeed(
  services: HttpServices,
  { topics, since, lines }: LiveAsked,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent> {
  const { store } = services;
  const watch = watchOf(store);
  const tail = topics.includes("tail") ? new Along(services, lines) : null;
  watch.readers++;
  if (tail) watch.tails++;
  try {
    let version = await store.dataVersion();
    let deliveries = await deliveriesMark(store);
    await tail?.next();
    yield { id: version, type: "hello" };
    if (since !== null && since !== version) yield* told(version, topics);
    for (;;) {
      version = await watch.changed(version, signal);
      if (signal.aborted) return;
      const mark = await deliveriesMark(store);
      const changed = topics.filter((topic) => topic !== "deliveries" || mark !== deliveries);
      deliveries = mark;
      yield* told(version, changed);
      const came = await tail?.next();
      if (came) yield { id: version, type: "lines", tail: came };
    }
  } finally {
    watch.readers--;
    if (tail) watch.tails--;
  }
}

/** Reads along from where it began. */
class Along {
  private after: number | null = null;

  constructor(
    private readonly services: HttpServices,
    private readonly lines: SearchInput,
  ) {}

  /** What came since the last call; null when that is nothing. */
  async next(): Promise<LiveEvent["tail"] | null> {
    const { after, ...tail } = await readingIn(this.services).searchTail({ ...this.lines, after: this.after });
    this.after = after;
    return tail.items.length + tail.skipped + tail.unread > 0 ? tail : null;
  }
}

function* told(id: number, topics: readonly LiveTopic[]): Generator<LiveEvent> {
  for (const topic of topics) if (topic !== "tail") yield { id, type: topic };
}

/** Equal as long as the newest deliveries are the same, as far as anyone is shown. */
async function deliveriesMark(store: HttpServices["store"]): Promise<string> {
  const { items } = await store.batches({}, { limit: 50, cursor: null });
  return JSON.stringify(items.map(({ id, state, records, rejected }) => [id, state, records, rejected]));
}
