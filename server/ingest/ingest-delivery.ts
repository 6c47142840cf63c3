/** The state of one delivery while its bytes come in. */
import { createHash, randomUUID } from "node:crypto";
import type { Classifier } from "@/server/classify/classifier";
import type { Batch, DeliveryParams, IngestResult } from "@/server/domain/batch";
import type { BatchCounts, FactRows } from "@/server/domain/store";
import { placeOf } from "./bundles/place";
import type { DeliveryStore } from "./delivery-store";
import { DeliveryReader } from "./detect";
import type { Readers } from "./detect-names";
import { readerVersion } from "./reader-version";
import { RowSink } from "./sink";

export interface SegmentLimits {
  /** Rows and records after which a segment is written. */
  rows: number;
  records: number;
  /** Decoded bytes after which a segment is written. */
  bytes: number;
  /** A body up to so many bytes is held whole and hashed before anything of it is read. */
  held: number;
  /** Milliseconds after which a slow sender's records are written. */
  ms: number;
}

export interface IngestProgress extends BatchCounts {}

const LIMITS: SegmentLimits = {
  rows: 20_000,
  records: 200_000,
  bytes: 32 * 1024 * 1024,
  held: 8 * 1024 * 1024,
  ms: 1000,
};
const SHOWN_REJECTS = 100;
/** While more is coming, pages are this far behind what is stored: at least so long, and so many times as long as deriving took. */
const SETTLE_EVERY_MS = 10_000;
const SETTLE_SHARE = 20;

export interface DeliveryOptions {
  receivedAt: number;
  name: string | null;
  segment?: Partial<SegmentLimits>;
  classifier?: Classifier;
  onProgress?: (progress: IngestProgress) => void;
}

/** Reads bytes into the sink. */
type Reading = Pick<DeliveryReader, "push" | "end" | "nothingUnderstood" | "format" | "refusal">;

export class Delivery {
  private readonly id = randomUUID();
  protected readonly hash = createHash("sha256");
  private readonly limits: SegmentLimits;
  protected readonly sink: RowSink;
  protected reader: Reading;
  /** The beginning, until it is known to be longer than a segment. */
  protected held: Uint8Array[] | null = [];
  protected bytes = 0;
  protected unwritten = 0;
  private opened = false;
  /** Hash of the whole body, once that is there. */
  private body: string | null = null;
  private writtenAt = Date.now();
  /** The segment before, on its way into the store: what comes is read meanwhile. */
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;
  private settleAt = Date.now() + SETTLE_EVERY_MS;
  private readonly counts: BatchCounts = zeroCounts();

  /** Throws `invalid` when the call names an unknown format. */
  constructor(
    protected readonly store: DeliveryStore,
    protected readonly params: DeliveryParams,
    private readonly readers: Readers,
    private readonly options: DeliveryOptions,
  ) {
    this.limits = { ...LIMITS, ...options.segment };
    this.sink = new RowSink(params, options.classifier);
    if (options.name !== null) this.sink.place = placeOf(options.name);
    this.reader = new DeliveryReader(
      { params, receivedAt: options.receivedAt, name: options.name },
      this.sink,
      readers,
    );
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    this.unwritten += chunk.length;
    if (this.held) {
      this.held.push(Buffer.from(chunk));
      if (this.bytes > Math.min(this.limits.held, this.limits.bytes)) await this.readHeld();
      return;
    }
    this.reader.push(chunk);
    if (this.isDue()) await this.write();
  }

  /** Completes the delivery, or finds that it was there before. Throws when nothing in it was understood. */
  async finish(): Promise<IngestResult> {
    const digest = this.digest();
    if (this.held) {
      const known = await this.store.batchByDigest(digest);
      if (known) return this.answer(known, true);
      await this.readHeld();
    }
    this.reader.end();
    if (this.reader.nothingUnderstood) throw this.reader.refusal();
    await this.write(true);
    const closed = await this.store.closeBatch(this.id, digest, this.reader.format, Date.now());
    await this.store.settleQueued();
    if (closed.duplicateOf !== null) {
      const known = await this.store.batch(closed.duplicateOf);
      if (known) return this.answer(known, true);
    }
    // As it stands by now: what another delivery began, or went on with, is no reject any more.
    const own = await this.store.batch(this.id);
    return this.answer(own ?? { ...this.newBatch(), ...this.counts, format: this.reader.format }, false);
  }

  /** Gives back what it took on this machine. Call it whatever happened. */
  async close(): Promise<void> {}

  /** Removes what was written of a delivery that failed. */
  async drop(): Promise<void> {
    await this.writing.catch(() => undefined);
    if (!this.opened) return;
    this.opened = false;
    await this.store.dropBatch(this.id);
    await this.store.settleQueued();
  }

  /** The beginning is read in pieces, like the rest, so that a segment keeps its bounds. */
  private async readHeld(): Promise<void> {
    const held = this.held ?? [];
    this.held = null;
    for (const chunk of held) {
      this.reader.push(chunk);
      if (this.sink.size >= this.limits.rows) await this.write();
    }
  }

  protected isDue(): boolean {
    return (
      this.unwritten >= this.limits.bytes ||
      this.sink.size >= this.limits.rows ||
      this.sink.records >= this.limits.records ||
      (!this.isWriting && Date.now() - this.writtenAt >= this.limits.ms)
    );
  }

  /** Gives a segment to the store once the one before is there; the `last` one, too, is there when it resolves. */
  protected async write(last = false): Promise<void> {
    // Megabytes of which nothing was understood are refused at once; a few lines may just be a bad beginning.
    if (this.bytes > this.limits.held && this.reader.nothingUnderstood) throw this.reader.refusal();
    const { rows, counts } = this.sink.take(last);
    rows.archive = await this.sink.archive.take(last);
    counts.bytes = this.unwritten;
    this.unwritten = 0;
    await this.writing;
    this.isWriting = true;
    this.writing = this.put(rows, counts, last).finally(() => {
      this.isWriting = false;
      this.writtenAt = Date.now();
    });
    // What goes wrong is met by the next write.
    this.writing.catch(() => undefined);
    if (last) await this.writing;
  }

  private async put(rows: FactRows, counts: BatchCounts, last: boolean): Promise<void> {
    if (!this.opened) await this.store.openBatch(this.newBatch());
    this.opened = true;
    const { duplicates } = await this.store.append(this.id, rows, counts);
    counts.duplicates += duplicates;
    for (const name of Object.keys(counts) as (keyof BatchCounts)[]) this.counts[name] += counts[name];
    this.options.onProgress?.({ ...this.counts });
    if (last || Date.now() < this.settleAt) return;
    const began = Date.now();
    await this.store.settleQueued();
    this.settleAt = Date.now() + Math.max(SETTLE_EVERY_MS, SETTLE_SHARE * (Date.now() - began));
  }

  /** sha256 over the decoded bytes and everything that changes what they mean. */
  protected digest(): string {
    const { format, run, source, node, cluster } = this.params;
    this.body ??= this.hash.digest("hex");
    return createHash("sha256")
      .update(JSON.stringify([this.body, format, run, source, node, cluster]))
      .digest("hex");
  }

  private newBatch(): Batch {
    const { receivedAt, name } = this.options;
    const state = { id: this.id, digest: null, state: "receiving" as const, receivedAt, completedAt: null, name };
    return { ...this.params, ...state, ...zeroCounts(), readerVersion: readerVersion(this.readers) };
  }

  protected async answer(batch: Batch, duplicateBatch: boolean): Promise<IngestResult> {
    const { id, format, bytes, records, observations, rollouts, routine, duplicates, rejected } = batch;
    const counts = { bytes, records, observations, rollouts, routine, duplicates, rejected };
    const page = { limit: SHOWN_REJECTS, cursor: null };
    const { items } = rejected === 0 ? { items: [] } : await this.store.rejects(id, page);
    const rejects = items.map(({ line, code, message }) => ({ line, code, message }));
    return { batchId: id, duplicateBatch, format, ...counts, rejects };
  }
}

function zeroCounts(): BatchCounts {
  return { bytes: 0, records: 0, observations: 0, rollouts: 0, routine: 0, duplicates: 0, rejected: 0 };
}
