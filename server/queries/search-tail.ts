/** Lines that came since the last look and hold what was asked for: what somebody reads along. */
import type { StoredBlock } from "@/server/domain/archive";
import type { Tail } from "@/server/domain/raw-lines";
import type { Store } from "@/server/domain/store";
import { comparePlaces, rawLine } from "./raw-line-answer";
import { readDirectory } from "./run-directory";
import { type Match, matchesIn } from "./search-lines";
import { type SearchInput, searchScope } from "./search-scope";

export interface TailInput extends SearchInput {
  /** The newest block of the look before; null = only say which is the newest. */
  after: number | null;
}

/** More lines at a time nobody reads along. */
const MOST_LINES = 100;
const MOST_BLOCKS = 8;
const MOST_MS = 120;
const LISTED = 200;

/** Newest first. Throws `invalid` as a search does. */
export async function searchTail(store: Store, input: TailInput): Promise<Tail> {
  const { after } = input;
  const newest = await newestBlock(store, after ?? 0);
  if (after === null || newest === after) return { items: [], skipped: 0, unread: 0, after: newest };
  const directory = await readDirectory(store);
  const scope = await searchScope(store, directory, input);
  const page = await store.archiveBlocks({ ...scope.filter, newerThan: after }, { limit: LISTED, cursor: null });
  const fresh = page.items.filter((block) => block.id <= newest && scope.hasBlock(block));
  const began = performance.now();
  const found: Match[] = [];
  let read = 0;
  while (read < Math.min(fresh.length, MOST_BLOCKS) && performance.now() - began < MOST_MS) {
    found.push(...(await matchesIn(store, scope, fresh[read++] as StoredBlock, null)));
  }
  found.sort((a, b) => comparePlaces(b.placed.place, a.placed.place));
  const shown = found.slice(0, MOST_LINES);
  return {
    items: shown.map(({ placed, marks }) => rawLine(placed, directory, marks)),
    skipped: found.length - shown.length,
    unread: fresh.slice(read).reduce((sum, block) => sum + block.lines, 0),
    after: newest,
  };
}

/** The greatest id of any block, at least `known`. The list is by time, so it takes a few steps where old lines come late. */
async function newestBlock(store: Store, known: number): Promise<number> {
  for (let newest = known; ; ) {
    const { items } = await store.archiveBlocks({ newerThan: newest }, { limit: LISTED, cursor: null });
    if (items.length === 0) return newest;
    newest = Math.max(newest, ...items.map((block) => block.id));
  }
}
