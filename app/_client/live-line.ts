/** One line to `GET /live`: kept while the page is looked at, taken up again where it was lost. */
import { apiUrl, type Params } from "./api";

/** A line that the server ended or refused is tried again after this long; each refusal in a row doubles it. */
const AGAIN_MS = 5_000;
const MOST_MS = 60_000;

export type LineState = "open" | "lost";

export interface LiveLine<T extends string> {
  /** Parameters of the call, asked for at each new beginning. */
  params(): Params;
  types: readonly T[];
  hear(type: T, data: string): void;
  state?(state: LineState): void;
}

/** Begins to listen; the function that it returns ends it. A page in the background holds no connection. */
export function listen<T extends string>({ params, types, hear, state }: LiveLine<T>): () => void {
  let source: EventSource | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  let waitMs = AGAIN_MS;
  const stop = () => {
    clearTimeout(again);
    source?.close();
    source = null;
  };
  const retry = () => {
    stop();
    state?.("lost");
    again = setTimeout(start, waitMs);
    waitMs = Math.min(MOST_MS, waitMs * 2);
  };
  const start = () => {
    stop();
    if (document.visibilityState === "hidden") return;
    const opened = new EventSource(apiUrl("/live", params()));
    source = opened;
    opened.addEventListener("open", () => {
      waitMs = AGAIN_MS;
      state?.("open");
    });
    for (const type of types) {
      opened.addEventListener(type, (message: MessageEvent<string>) => hear(type, message.data));
    }
    opened.addEventListener("end", retry);
    // The browser itself tries again, unless the server refused.
    opened.addEventListener("error", () => (opened.readyState === EventSource.CLOSED ? retry() : state?.("lost")));
  };
  document.addEventListener("visibilitychange", start);
  start();
  return () => {
    document.removeEventListener("visibilitychange", start);
    stop();
  };
}
