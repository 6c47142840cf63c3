/** One raw line between its neighbours: those of its own stream, whichever delivery brought them, or those of its delivery. */
import { type ArchiveFilter, FILE_PARTS, type StoredBlock } from "@/server/domain/archive";
import { CoalmineError } from "@/server/domain/errors";
import type { LinesAround } from "@/server/domain/raw-lines";
import type { Store } from "@/server/domain/store";
import { comparePlaces, type PlacedLine, placedLines, rawLine } from "./raw-line-answer";
import { readDirectory } from "./run-directory";

export interface AroundInput {
  batch: string;
  line: number;
  /** Which of the records that share the line; default the first. */
  part?: number;
  /** Lines wanted on each side. */
  around: number;
  of: "stream" | "delivery";
}

/** How far around a line its stream is looked for elsewhere, in ms: no further than needed. */
const WINDOWS = [2_000, 60_000, 3_600_000, 86_400_000] as const;
const MOST_BLOCKS = 16;
/** Blocks of its own delivery that are read on each side of the line's own. */
const MOST_BESIDE = 4;

/** Blocks of a delivery that are looked through for a line that many of them hold: a bundle's files all have a first line. */
const MOST_WITH_LINE = 200;

/** Throws `not_found` when the line is not kept, or no longer. */
export async function linesAround(store: Store, input: AroundInput): Promise<LinesAround> {
  const blocks = new BlockReader(store);
  const target = await blocks.find(input.batch, input.line, input.part ?? 0);
  if (!target) throw new CoalmineError("not_found", "This line is not kept as text, or was taken back.");
  const sides =
    input.of === "stream"
      ? await ofStream(store, blocks, target, input.around)
      : await ofDelivery(store, blocks, target, input.around);
  const directory = await readDirectory(store);
  const shown = (lines: PlacedLine[]) => lines.map((one) => rawLine(one, directory));
  return { before: shown(sides.before), line: rawLine(target, directory), after: shown(sides.after) };
}

interface Sides {
  before: PlacedLine[];
  after: PlacedLine[];
}

/** Blocks as they are needed, each read once. */
class BlockReader {
  private readonly read = new Map<number, PlacedLine[]>();

  constructor(private readonly store: Store) {}

  all(): PlacedLine[] {
    return [...this.read.values()].flat();
  }

  /** The record that is this part of its line. */
  async find(batch: string, line: number, part: number): Promise<PlacedLine | null> {
    for (let i = 0, after = 0; i < MOST_WITH_LINE; i++) {
      const block = await this.store.archiveBlockOf(batch, line, after);
      if (!block) return null;
      const found = (await this.linesOf(block)).find((one) => one.line.line === line && one.part === part);
      if (found) return found;
      after = block.id;
      this.read.delete(block.id);
    }
    return null;
  }

  async linesOf(block: StoredBlock): Promise<PlacedLine[]> {
    const known = this.read.get(block.id);
    if (known) return known;
    const bytes = (await this.store.archiveBytes([block.id])).get(block.id);
    const lines = bytes ? placedLines(block, bytes) : [];
    this.read.set(block.id, lines);
    return lines;
  }
}

async function ofStream(store: Store, blocks: BlockReader, target: PlacedLine, around: number): Promise<Sides> {
  const { stream } = target.sender;
  const sides = () => sidesOf(blocks.all(), target, stream, around);
  const isEnough = ({ before, after }: Sides) => before.length >= around && after.length >= around;
  await readBeside(store, blocks, target.block, () => isEnough(sides()));
  const at = target.line.at;
  if (at === null) return sides();
  for (const window of WINDOWS) {
    const filter: ArchiveFilter = { streams: [stream], from: at - window, to: at + window + 1 };
    const page = await store.archiveBlocks(filter, { limit: MOST_BLOCKS, cursor: null });
    for (const block of page.items) await blocks.linesOf(block);
    if (isEnough(sides()) || page.next !== null) break;
  }
  return sides();
}

/** The blocks next to `own` in its delivery, outwards, until there is enough. */
async function readBeside(store: Store, blocks: BlockReader, own: StoredBlock, isEnough: () => boolean): Promise<void> {
  let [first, last] = [own.firstLine, own.lastLine];
  for (let i = 0; i < MOST_BESIDE && !isEnough(); i++) {
    const before = first > 1 ? await store.archiveBlockOf(own.batch, first - 1) : null;
    const after = await store.archiveBlockOf(own.batch, last + 1);
    if (before === null && after === null) return;
    for (const block of [before, after]) if (block) await blocks.linesOf(block);
    first = Math.min(first, before?.firstLine ?? first);
    last = Math.max(last, after?.lastLine ?? last);
  }
}

/** The lines of a stream nearest to the target. What several deliveries brought is there once, best from the target's own. */
function sidesOf(all: readonly PlacedLine[], target: PlacedLine, stream: string, around: number): Sides {
  const isOwn = (one: PlacedLine) => one.block.batch === target.block.batch;
  const seen = new Set([said(target)]);
  const lines = all
    .filter((one) => one.sender.stream === stream && one !== target)
    .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || comparePlaces(a.place, b.place))
    .filter((one) => {
      const isRepeat = seen.has(said(one)) && one.line.at !== null && !isOwn(one);
      seen.add(said(one));
      return !isRepeat;
    })
    .sort((a, b) => comparePlaces(a.place, b.place));
  return {
    before: lines.filter((one) => comparePlaces(one.place, target.place) < 0).slice(-around),
    after: lines.filter((one) => comparePlaces(one.place, target.place) > 0).slice(0, around),
  };
}

function said({ line }: PlacedLine): string {
  return `${line.at} ${line.text}`;
}

/** Number of the file of a bundle that it is in. */
function fileOf({ part }: PlacedLine): number {
  return Math.floor(part / FILE_PARTS);
}

/** Line by line outwards; lines that are kept otherwise than as text are passed over. */
async function ofDelivery(store: Store, blocks: BlockReader, target: PlacedLine, around: number): Promise<Sides> {
  const { batch } = target.block;
  const walk = async (step: 1 | -1): Promise<PlacedLine[]> => {
    const inFile = (one: PlacedLine) => fileOf(one) === fileOf(target);
    const found = (await blocks.linesOf(target.block)).filter(
      (one) => one.line.line === target.line.line && inFile(one) && Math.sign(one.part - target.part) === step,
    );
    for (let i = 1; i <= around && found.length < around; i++) {
      const number = target.line.line + i * step;
      const isHere = (one: PlacedLine) => one.line.line === number && inFile(one);
      const known = blocks.all().filter((one) => one.block.batch === batch && isHere(one));
      const block = known.length > 0 || number < 1 ? null : await store.archiveBlockOf(batch, number);
      found.push(...known, ...(block ? await blocks.linesOf(block) : []).filter(isHere));
    }
    return found;
  };
  const order = (a: PlacedLine, b: PlacedLine) => a.line.line - b.line.line || a.part - b.part;
  return {
    before: (await walk(-1)).sort(order).slice(-around),
    after: (await walk(1)).sort(order).slice(0, around),
  };
}
