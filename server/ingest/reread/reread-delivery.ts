/** Reads the archived lines of one delivery again and brings the store to what they give now; or only says what that would change. */
import { decodeBlock, type Recoded, withFormats } from "@/server/archive/block-codec";
import type { Classifier } from "@/server/classify/classifier";
import type { StoredBlock } from "@/server/domain/archive";
import type { Batch } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import type { NotAgain } from "@/server/domain/reclassify";
import type { FactRows } from "@/server/domain/segment";
import type { Store } from "@/server/domain/store";
import type { Readers } from "../detect-names";
import { type Difference, differenceOf } from "./difference";
import { RereadEnding } from "./ending";
import { HeldRows } from "./held-rows";
import { LineReplay, type ReplayedSegment } from "./line-replay";
import { newsOf } from "./news";
import { OldPieces } from "./old-pieces";

export interface RereadOptions {
  readers: Readers;
  classifier: Classifier;
  signal: AbortSignal;
  /** False: nothing is changed. */
  write: boolean;
  /** Told of each step: lines read, what changes, and what else is said. */
  onStep(step: { lines: number; moves: Difference["moves"]; rows: Pick<FactRows, "links" | "facts"> }): void;
}

/** What a step is made of, besides rows. */
interface Read {
  lines: number;
  blocks: ({ id: number } & Recoded)[];
  last: boolean;
}

/** Blocks asked for at a time. */
const BLOCKS = 16;

/**
 * Resolves with what is not read again, by the reason; null when the delivery is not there (any more), or was sent as a format that is
 * no more. Throws the signal's reason when it is aborted, between two steps: reading it again from the start then goes on.
 */
export async function rereadDelivery(
  store: Store,
  id: string,
  options: RereadOptions,
): Promise<Record<NotAgain, number> | null> {
  const batch = await store.batch(id);
  const kept = await store.keptOf(id);
  const replay = batch && kept && replayOf(batch, kept.asked, options);
  if (!batch || !kept || !replay) return null;
  const pieces = new OldPieces(await store.piecesOfBatch(id));
  const ending = new RereadEnding(batch, kept, replay, pieces, options.classifier.version);
  const work = new Rereading(store, batch, replay, options, { pieces, ending });
  for await (const block of blocksOf(store, id)) {
    options.signal.throwIfAborted();
    if (!(await work.block(block))) return null;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return (await work.end()) ? ending.left() : null;
}

function replayOf(batch: Batch, asked: string, { readers, classifier }: RereadOptions): LineReplay | null {
  try {
    return new LineReplay(batch, asked, readers, classifier);
  } catch (error) {
    if (error instanceof CoalmineError && error.code === "invalid") return null;
    throw error;
  }
}

async function* blocksOf(store: Store, batch: string): AsyncGenerator<StoredBlock> {
  for (let after = 0; ; ) {
    const blocks = await store.blocksOf(batch, after, BLOCKS);
    yield* blocks;
    const last = blocks.at(-1);
    if (!last) return;
    after = last.id;
  }
}

class Rereading {
  private readonly held = new HeldRows();

  constructor(
    private readonly store: Store,
    private readonly batch: Batch,
    private readonly replay: LineReplay,
    private readonly options: RereadOptions,
    private readonly whole: { pieces: OldPieces; ending: RereadEnding },
  ) {}

  /** False when the delivery has gone. */
  async block(block: StoredBlock): Promise<boolean> {
    const bytes = (await this.store.archiveBytes([block.id])).get(block.id);
    if (!bytes) return true;
    const lines = decodeBlock(bytes);
    const formats = this.replay.read(block, lines);
    const isOther = lines.some(({ format }, i) => formats[i] !== undefined && formats[i] !== format);
    const recoded = isOther ? [{ id: block.id, ...withFormats(lines, formats) }] : [];
    return this.step(this.replay.take(), { lines: lines.length, blocks: recoded, last: false });
  }

  async end(): Promise<boolean> {
    return this.step(this.replay.end(), { lines: 0, blocks: [], last: true });
  }

  private async step({ rows, counts, places }: ReplayedSegment, { lines, blocks, last }: Read): Promise<boolean> {
    const { store, batch, options } = this;
    const { pieces, ending } = this.whole;
    pieces.note(places);
    ending.count(counts);
    const difference = differenceOf(await store.madeOf(batch.id, places), rows);
    const now = this.held.add(rows);
    const done = last ? ending.close(this.held, options.readers) : null;
    const written = { ...now, ...(done && this.held.all) };
    const news = await newsOf(store, { ...written, observations: difference.observations }, difference.moves);
    options.onStep({ lines, moves: news.moves, rows: written });
    const { observations, rejects, gone } = difference;
    const lists = [observations, rejects, blocks, ...Object.values(gone), ...Object.values(now)];
    if (!options.write || (!done && lists.every((list) => list.length === 0))) return true;
    const all = { ...written, ...(done?.rows ?? { sightings: [] }), observations, rejects };
    const step = { rows: { ...all, archive: [], touched: news.touched }, blocks, done: done?.end ?? null };
    return store.reread({ batch: batch.id, gone, ...step });
  }
}
