/** Server-sent events of any source: numbered, kept alive by a heartbeat, and let go when the reader leaves or the server stops. */
import { log } from "./log";
import { stopping } from "./stopping";

export interface NumberedEvent {
  id: number;
  type: string;
}

export const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;

export interface EventStreamOptions<E extends NumberedEvent> {
  /** Begins when the reader does; its signal aborts when the reader leaves. */
  source(signal: AbortSignal): AsyncGenerator<E>;
  /** Aborts when the request is gone. */
  request: AbortSignal;
  heartbeatMs?: number;
}

/** Ends with an event `end`, by which a reader knows that the line was not lost; also where the source fails, which is logged. Reads the source only as fast as the reader takes it. */
export function eventStream<E extends NumberedEvent>({
  source,
  request,
  heartbeatMs = HEARTBEAT_MS,
}: EventStreamOptions<E>): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, request, stopping()]);
  const encoder = new TextEncoder();
  const events = source(signal);
  let heartbeat: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(heartbeat);
    left.abort();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string): void => controller.enqueue(encoder.encode(text));
      send(`retry: ${RETRY_MS}\n\n`);
      heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) send(": heartbeat\n\n");
      }, heartbeatMs);
      request.addEventListener("abort", stop, { once: true });
    },
    async pull(controller) {
      const next = await events.next().catch((error: unknown) => {
        log().error({ err: error }, "a stream of events broke off");
        return { done: true as const, value: undefined };
      });
      if (!next.done) {
        const { id, type } = next.value;
        controller.enqueue(encoder.encode(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(next.value)}\n\n`));
        return;
      }
      stop();
      controller.enqueue(encoder.encode("event: end\ndata: {}\n\n"));
      controller.close();
    },
    async cancel() {
      stop();
      await events.return(undefined).catch(() => undefined);
    },
  });
}
