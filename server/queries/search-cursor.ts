/** Where a search goes on. Pure. */
import { CoalmineError } from "@/server/domain/errors";
import type { Place } from "./raw-line-answer";

export interface SearchCursor {
  /** The store's own cursor of the first page of blocks to read; null = the newest. */
  start: string | null;
  /** Lines as new as this one, or newer, were given out; null = none of those to come. */
  after: Place | null;
  /**
   * The last block (its newest time, its id) of those that `after` is about: where more blocks overlap in time than one
   * call may read, older blocks can hold newer lines. Null: `after` is about all blocks.
   */
  last: [number, number] | null;
}

export const BEGINNING: SearchCursor = { start: null, after: null, last: null };

export function writeSearchCursor({ start, after, last }: SearchCursor): string {
  return Buffer.from(JSON.stringify(["search", start, after, last])).toString("base64url");
}

/** Throws `invalid` for what `writeSearchCursor` did not make. */
export function readSearchCursor(cursor: string | null): SearchCursor {
  if (cursor === null) return BEGINNING;
  const read = parse(cursor);
  if (Array.isArray(read) && read.length === 4 && read[0] === "search") {
    const [, start, after, last] = read as unknown[];
    if ((start === null || typeof start === "string") && isNumbers(after, 3) && isNumbers(last, 2)) {
      return { start, after: after as Place | null, last: last as [number, number] | null };
    }
  }
  throw new CoalmineError("invalid", "cursor: not one that a page of this search gave out");
}

function isNumbers(value: unknown, length: number): boolean {
  return value === null || (Array.isArray(value) && value.length === length && value.every(Number.isFinite));
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
