/** Pages by keyset: a cursor holds the sort values of the last row, so a page costs the same wherever it begins. */
import { CoalmineError } from "@/server/domain/errors";
import type { Page, PageOf } from "@/server/domain/store";

export type CursorKind = "text" | "number";
type CursorValue = string | number;

export function pageLimit(page: Page): number {
  return Number.isFinite(page.limit) ? Math.min(1000, Math.max(1, Math.floor(page.limit))) : 1000;
}

/**
 * Reads a cursor of the list `list` with values of these kinds; null for the first page.
 * Throws `invalid` when it was not made by `cutPage` for the same list.
 */
export function readCursor(page: Page, list: string, kinds: readonly CursorKind[]): CursorValue[] | null {
  if (page.cursor === null) return null;
  const read = parse(page.cursor);
  const ok =
    Array.isArray(read) &&
    read.length === kinds.length + 1 &&
    read[0] === list &&
    kinds.every((kind, i) => typeof read[i + 1] === (kind === "text" ? "string" : "number"));
  if (!ok) throw new CoalmineError("invalid", "The cursor is not one of this list; begin again without it.");
  return read.slice(1) as CursorValue[];
}

function parse(cursor: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

/** Makes a page of at most `limit` rows out of up to one more; `sortValues` are those the next page begins after. */
export function cutPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  list: string,
  sortValues: (row: Row) => CursorValue[],
  toItem: (row: Row) => Item,
): PageOf<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(toItem),
    next: last === undefined ? null : Buffer.from(JSON.stringify([list, ...sortValues(last)])).toString("base64url"),
  };
}
