/** What a table shows of its rows, and how it sorts them. */
import type { ReactNode } from "react";

export interface Column<T> {
  id: string;
  head: ReactNode;
  /** The head in words where `head` is not. */
  name?: string;
  cell(row: T): ReactNode;
  /** By what a click on the head sorts; null sorts last. Without it the column does not sort. */
  sort?(row: T): string | number | null;
  num?: boolean;
  /** Left out on narrow screens. */
  wide?: boolean;
  /** CSS width; a table with any has fixed columns. */
  width?: string;
  /** The cell names its row. */
  rowHead?: boolean;
}

export interface Order {
  id: string;
  down: boolean;
}

/** `-rate` = by rate, greatest first; null or an unknown column = as the server ordered it. */
export function orderOf(text: string | null, ids: readonly string[]): Order | null {
  if (text === null) return null;
  const down = text.startsWith("-");
  const id = down ? text.slice(1) : text;
  return ids.includes(id) ? { id, down } : null;
}

/** What the next click on a head means: greatest first, least first, as the server ordered it. */
export function nextOrder(current: Order | null, id: string): string | null {
  if (current?.id !== id) return `-${id}`;
  return current.down ? id : null;
}

/** Compares for an ascending order; null comes last whichever way the order runs. */
export function compareBy(a: string | number | null, b: string | number | null, down: boolean): number {
  if (a === null || b === null) {
    const last = a === null ? (b === null ? 0 : 1) : -1;
    return down ? -last : last;
  }
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}
