/** A line of a block as the API shows it, and its place among all lines. Pure. */
import { decodeBlock } from "@/server/archive/block-codec";
import type { RunDirectory } from "@/server/derive/run-directory";
import type { ArchiveLine, ArchiveSender, StoredBlock } from "@/server/domain/archive";
import type { RawLine } from "@/server/domain/raw-lines";
import { iso } from "./iso";

/** Longest text of a line in a list, and how much of it stands before the first match. */
const MOST_TEXT = 4000;
const LEAD = 1000;

/** Time, block and index there: no two lines have the same. A line without a time stands by the one before it. */
export type Place = [at: number, block: number, index: number];

export interface PlacedLine {
  place: Place;
  line: ArchiveLine;
  sender: ArchiveSender;
  block: StoredBlock;
  /** Which of the records that share its line of the delivery. */
  part: number;
}

/** Negative when `a` is older than `b`. */
export function comparePlaces(a: Place, b: Place): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The newest time of a block's lines, epoch ms; of one without times that of its receipt. */
export function newestOf(block: StoredBlock): number {
  return block.lastAt ?? block.receivedAt;
}

/** All lines of a block in the order in which they were read; `probe` as in `decodeBlock`. Throws `internal`. */
export function placedLines(block: StoredBlock, bytes: Uint8Array, probe: RegExp | null = null): PlacedLine[] {
  let at = block.firstAt ?? block.receivedAt;
  let number = -1;
  let part = 0;
  return decodeBlock(bytes, probe).flatMap((line, index) => {
    at = line.at ?? at;
    part = line.line === number ? part + 1 : 0;
    number = line.line;
    const sender = block.senders[line.sender];
    if (!sender) return [];
    // Blocks of older versions do not say it: there they are numbered as they stand.
    const said = sender.replay === undefined ? part : (line.part ?? 0);
    return [{ place: [at, block.id, index], line, sender, block, part: said } satisfies PlacedLine];
  });
}

export function rawLine(
  { line, sender, block, part }: PlacedLine,
  directory: RunDirectory,
  matches: [number, number][] = [],
): RawLine {
  return {
    batch: block.batch,
    line: line.line,
    part,
    at: iso(line.at),
    run: sender.run === null ? null : directory.ownerOf(sender.run),
    node: sender.node,
    pod: sender.pod,
    container: sender.container,
    sandbox: sender.sandbox,
    source: sender.source,
    format: line.format,
    origin: sender.origin,
    ...shortened(line.text, matches),
  };
}

function shortened(text: string, matches: [number, number][]): Pick<RawLine, "text" | "cut" | "matches"> {
  if (text.length <= MOST_TEXT) return { text, cut: false, matches };
  const first = matches[0]?.[0] ?? 0;
  const from = first < MOST_TEXT - LEAD ? 0 : first - LEAD;
  const to = from + MOST_TEXT;
  const inside = matches.filter(([start, end]) => start >= from && end <= to);
  return {
    text: text.slice(from, to),
    cut: true,
    matches: inside.map(([start, end]): [number, number] => [start - from, end - from]),
  };
}
