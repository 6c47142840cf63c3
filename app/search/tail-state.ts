/** Lines that came while somebody looks: shown, or held until they ask. Pure. */
import { lineKey } from "@/app/_ui/lines/search-href";
import type { RawLine, Tail } from "@/server/domain/raw-lines";

export interface TailState {
  /** Newest first. */
  shown: readonly RawLine[];
  /** Came while the reader was reading; newest first. */
  held: readonly RawLine[];
  /** Lines that came too fast to be shown. */
  skipped: number;
  /** Lines that came too fast to be looked through. */
  unread: number;
}

export const NO_TAIL: TailState = { shown: [], held: [], skipped: 0, unread: 0 };

/** More is not kept on the page; a search finds it again. */
const MOST = 2000;

/** Adds what came; `hold` keeps it from being drawn. */
export function cameIn(state: TailState, tail: Omit<Tail, "after">, hold: boolean): TailState {
  const held = merged(tail.items, state.held);
  const next = { ...state, held, skipped: state.skipped + tail.skipped, unread: state.unread + tail.unread };
  return hold ? next : release(next);
}

export function release(state: TailState): TailState {
  return { ...state, shown: merged(state.held, state.shown), held: [] };
}

/** Both, each line once. */
export function merged(newer: readonly RawLine[], older: readonly RawLine[], most = MOST): RawLine[] {
  const seen = new Set<string>();
  const once = [...newer, ...older].filter((line) => {
    const key = lineKey(line);
    return !seen.has(key) && seen.add(key);
  });
  return once.slice(0, most);
}
