/** Reads the archived lines of one delivery again and brings the store to what they give now; or only says what that would change. */
import { decodeBlock, type Reading, type Recoded, withReadings } from "@/server/archive/block-codec";
import type { Classifier } from "@/server/classify/classifier";
import type { ArchiveLine, StoredBlock } from "@/server/domain/archive";
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
  const asked = await store.askedOf(id);
  const replay = batch && asked !== null ? replayOf(batch, asked, options) : null;
  if (!batch || asked === null || !replay) return null;
  const work = new Rereading(store, batch, replay, options, new OldPieces(await store.piecesOfBatch(id)));
  for await (const block of blocksOf(store, id)) {
    options.signal.throwIfAborted();
    if (!(await work.block(block))) return null;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return (await work.end(asked)) ? work.ending.left() : null;
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
  readonly ending: RereadEnding;
  private readonly held = new HeldRows();

  constructor(
    private readonly store: Store,
    private readonly batch: Batch,
    private readonly replay: LineReplay,
    private readonly options: RereadOptions,
    private readonly pieces: OldPieces,
  ) {
    this.ending = new RereadEnding(batch, replay, pieces, options.classifier.version);
  }

  /** False when the delivery has gone. */
  async block(block: StoredBlock): Promise<boolean> {
    const bytes = (await this.store.archiveBytes([block.id])).get(block.id);
    if (!bytes) return true;
    const lines = decodeBlock(bytes);
    const readings = this.replay.read(block, lines);
    this.ending.note(lines, readings);
    const recoded = isOther(lines, readings) ? [{ id: block.id, ...withReadings(lines, readings) }] : [];
    return this.step(this.replay.take(), lines.length, recoded);
  }

  async end(asked: string): Promise<boolean> {
    const segment = this.replay.end();
    return this.step(segment, 0, [], asked);
  }

  private async step(
    { rows, counts, places }: ReplayedSegment,
    lines: number,
    blocks: ({ id: number } & Recoded)[],
    asked?: string,
  ): Promise<boolean> {
    const { store, batch, options } = this;
    this.pieces.note(places);
    this.ending.count(counts);
    const difference = differenceOf(await store.madeOf(batch.id, places), rows);
    const now = this.held.add(rows);
    const done = asked === undefined ? null : this.ending.close(asked, this.held, options.readers);
    const written = { ...now, ...(done && this.held.all) };
    const news = await newsOf(store, { ...written, observations: difference.observations }, difference.moves);
    options.onStep({ lines, moves: news.moves, rows: written });
    const isNothing =
      !done &&
      [
        difference.observations,
        difference.rejects,
        blocks,
        ...Object.values(difference.gone),
        ...Object.values(now),
      ].every((list) => list.length === 0);
    if (!options.write || isNothing) return true;
    const { observations, rejects, gone } = difference;
    const ends = done ? { pieces: done.rows.pieces, sightings: done.rows.sightings } : { sightings: [] };
    const step = { ...written, ...ends, observations, rejects, archive: [], touched: news.touched };
    return store.reread({ batch: batch.id, gone, rows: step, blocks, done: done?.end ?? null });
  }
}

function isOther(lines: readonly ArchiveLine[], readings: readonly (Reading | undefined)[]): boolean {
  return lines.some(({ format, goesOn = false }, i) => {
    const now = readings[i];
    return now !== undefined && (now.format !== format || now.goesOn !== goesOn);
  });
}
