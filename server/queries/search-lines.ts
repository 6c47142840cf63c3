/** Raw lines that hold what was asked for, newest first. Reads a bounded number of blocks a call; a cursor goes on from there. */
import type { StoredBlock } from "@/server/domain/archive";
import type { Looked, SearchAnswer } from "@/server/domain/raw-lines";
import type { Page, Store } from "@/server/domain/store";
import { iso } from "./iso";
import { comparePlaces, newestOf, type Place, type PlacedLine, placedLines, rawLine } from "./raw-line-answer";
import { readDirectory } from "./run-directory";
import { readSearchCursor, type SearchCursor, writeSearchCursor } from "./search-cursor";
import { type SearchInput, type SearchScope, searchScope } from "./search-scope";

export interface SearchBounds {
  /** Blocks read in one call. */
  blocks: number;
  /** After this long no further block is begun. */
  ms: number;
}

export const SEARCH_BOUNDS: SearchBounds = { blocks: 64, ms: 180 };
export interface Match {
  placed: PlacedLine;
  marks: [number, number][];
}

/** One block as it was read: where its page began, and its newest matches, one more than are asked for. */
interface Step {
  start: string | null;
  matches: Match[];
}

interface Read {
  steps: Step[];
  /** Of the next block; null when there is none. */
  next: string | null;
  /** The last block read. */
  last: StoredBlock | null;
  looked: Looked;
}

/** Throws `invalid` for a query that cannot be looked up, or a cursor that is not ours. */
export async function searchLines(
  store: Store,
  input: SearchInput & { page: Page },
  bounds: SearchBounds = SEARCH_BOUNDS,
): Promise<SearchAnswer> {
  const directory = await readDirectory(store);
  const scope = await searchScope(store, directory, input);
  const from = readSearchCursor(input.page.cursor);
  const read = await readSteps(store, scope, from, input.page.limit, bounds);
  const found = newest(
    read.steps.flatMap((step) => step.matches),
    input.page.limit + 1,
  );
  const shown = found.slice(0, input.page.limit);
  const next = nextOf(read, from, found.length > shown.length ? (shown.at(-1)?.placed.place ?? null) : null);
  return {
    items: shown.map(({ placed, marks }) => rawLine(placed, directory, marks)),
    next: next && writeSearchCursor(next),
    looked: { ...read.looked, back: next === null ? null : read.looked.back },
  };
}

/** Reads until the newest `limit` matches are known, or a bound is met. */
async function readSteps(
  store: Store,
  scope: SearchScope,
  from: SearchCursor,
  limit: number,
  bounds: SearchBounds,
): Promise<Read> {
  const began = performance.now();
  const read: Read = { steps: [], next: from.start, last: null, looked: { blocks: 0, lines: 0, back: null } };
  do {
    const start = read.next;
    const page = await store.archiveBlocks(scope.filter, { limit: 1, cursor: start });
    const [block] = page.items;
    // What `after` is not about begins anew in the next call.
    if (!block || isPast(block, from.last)) {
      read.next = block ? start : null;
      break;
    }
    read.steps.push({ start, matches: newest(await matchesIn(store, scope, block, from.after), limit + 1) });
    read.next = page.next;
    read.last = block;
    read.looked.blocks++;
    read.looked.lines += block.lines;
    if (block.id === from.last?.[1] || isKnown(read, limit)) break;
  } while (read.next !== null && read.looked.blocks < bounds.blocks && performance.now() - began < bounds.ms);
  read.looked.back = read.last && iso(newestOf(read.last));
  return read;
}

/** Are the newest `limit` matches newer than anything that was not read? */
function isKnown({ steps, last }: Read, limit: number): boolean {
  if (last === null) return false;
  let newer = 0;
  for (const { matches } of steps) for (const { placed } of matches) if (placed.place[0] > newestOf(last)) newer++;
  return newer >= limit;
}

/** `after` is the last line given out when more were found. */
function nextOf(read: Read, from: SearchCursor, after: Place | null): SearchCursor | null {
  if (after === null) return read.next === null ? null : { start: read.next, after: null, last: null };
  const left = (step: Step) => step.matches.some(({ placed }) => comparePlaces(placed.place, after) < 0);
  const start = read.steps.find(left)?.start ?? null;
  const isOrdered = read.last === null || read.next === null || after[0] > newestOf(read.last);
  return { start, after, last: from.last ?? (isOrdered || !read.last ? null : [newestOf(read.last), read.last.id]) };
}

function isPast(block: StoredBlock, last: [number, number] | null): boolean {
  if (last === null) return false;
  return newestOf(block) < last[0] || (newestOf(block) === last[0] && block.id < last[1]);
}

function newest(matches: Match[], n: number): Match[] {
  return matches.sort((a, b) => comparePlaces(b.placed.place, a.placed.place)).slice(0, n);
}

/** Matches in a block that are older than `after`. */
export async function matchesIn(
  store: Store,
  scope: SearchScope,
  block: StoredBlock,
  after: Place | null,
): Promise<Match[]> {
  if (!scope.hasBlock(block)) return [];
  // A block that was taken back meanwhile has no bytes.
  const bytes = (await store.archiveBytes([block.id])).get(block.id);
  return (bytes ? placedLines(block, bytes, scope.query.probe) : []).flatMap((placed) => {
    if ((after !== null && comparePlaces(placed.place, after) >= 0) || !scope.hasLine(placed)) return [];
    const marks = scope.query.matchesIn(placed.line.text);
    return marks ? [{ placed, marks }] : [];
  });
}
