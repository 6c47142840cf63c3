/** Events of one run for one reader: what is on disk first, then what comes, each once and in order. */
import { type CanaryEvent, type CanaryState, isOver } from "@/server/domain/canary";

/** A reader that takes nothing while this many events come is let go; it may return with the last id it saw. */
const MAX_WAITING = 30_000;

export type Listen = (hear: (events: CanaryEvent[]) => void) => () => void;

/** Ends after the event that ends the run, when the signal aborts, or when the reader is too slow. */
export async function* eventFeed(
  stored: (after: number) => Promise<CanaryEvent[]>,
  listen: Listen,
  after: number,
  signal: AbortSignal,
  isOverAlready: () => Promise<boolean>,
): AsyncGenerator<CanaryEvent> {
  const waiting: CanaryEvent[] = [];
  let wake: () => void = () => undefined;
  // Heard before the disk is read, so that nothing falls between the two.
  const unlisten = listen((events) => {
    waiting.push(...events);
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    let last = after;
    for (const event of await stored(after)) {
      last = event.id;
      yield event;
      if (endsRun(event)) return;
    }
    // An engine that was killed never wrote the end.
    if (waiting.length === 0 && (await isOverAlready())) return;
    while (!signal.aborted && waiting.length <= MAX_WAITING) {
      const event = waiting.shift();
      if (!event) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (event.id > last) {
        last = event.id;
        yield event;
        if (endsRun(event)) return;
      }
    }
  } finally {
    unlisten();
    signal.removeEventListener("abort", onAbort);
  }
}

function endsRun({ type, data }: CanaryEvent): boolean {
  return type === "state" && isOver(data.state as CanaryState);
}
