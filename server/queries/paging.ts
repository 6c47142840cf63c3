/** Pages over lists that are computed in memory: cursors name the last row, so rows that move do not repeat the page. */
import { CoalmineError } from "@/server/domain/errors";
import type { Page, PageOf } from "@/server/domain/store";

/** A row's place: greatest number first, then by text. */
export type Rank = [number, string];

/** Sorts `rows` by rank and cuts one page. Throws `invalid` for a cursor that is not ours. */
export function pageSorted<T>(rows: readonly T[], rankOf: (row: T) => Rank, page: Page): PageOf<T> {
  const sorted = rows.map((row) => ({ row, rank: rankOf(row) })).sort((a, b) => compare(a.rank, b.rank));
  const after = page.cursor === null ? null : readCursor(page.cursor);
  const rest = after === null ? sorted : sorted.filter((one) => compare(one.rank, after) > 0);
  const cut = rest.slice(0, page.limit);
  const last = cut.at(-1);
  return {
    items: cut.map((one) => one.row),
    next: rest.length > cut.length && last ? writeCursor(last.rank) : null,
  };
}

function compare(a: Rank, b: Rank): number {
  if (a[0] !== b[0]) return b[0] - a[0];
  return a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0;
}

function writeCursor(rank: Rank): string {
  return Buffer.from(JSON.stringify(rank)).toString("base64url");
}

function readCursor(cursor: string): Rank {
  const parsed = parse(cursor);
  if (Array.isArray(parsed) && typeof parsed[0] === "number" && typeof parsed[1] === "string") {
    return [parsed[0], parsed[1]];
  }
  throw new CoalmineError("invalid", "cursor: not one that a page of this list gave out");
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
