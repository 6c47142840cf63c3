/** Large files in pieces: what has come stays when the sender's connection, the sender or this process ends. */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Delivery } from "@/server/domain/delivery";
import { CoalmineError, errorCode } from "@/server/domain/errors";
import type { NewUpload, Upload, UploadService, UploadUsage } from "@/server/domain/upload";
import { chooseReaders } from "@/server/ingest/detect-names";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { FORMATS } from "@/server/ingest/formats/list";
import { type FoundUpload, UploadFiles, type UploadRecord } from "./upload-files";
import { requireRoom } from "./upload-room";
import { writePiece } from "./write-piece";

export interface UploadsOptions {
  /** Folder for the unfinished bytes, made when missing. */
  folder: string;
  /** Bytes that all unfinished uploads together may become. */
  mostBytes: number;
  /** Bytes of one file. */
  maxBodyBytes: number;
  /** Takes the whole file as a delivery. */
  ingest(delivery: Delivery): Promise<NonNullable<Upload["result"]>>;
  now?: () => number;
}

const DAY_MS = 24 * 3600 * 1000;
const SWEEP_MS = 10 * 60 * 1000;
const RETRY_S = 15;
/** What may go well later: the bytes are kept, and read again. */
const PASSING = ["busy", "unavailable", "storage_full"];

interface Entry {
  record: UploadRecord;
  offset: number;
  touchedAt: number;
  /** The piece that is coming in. */
  writing: { abort: AbortController; done: Promise<void> } | null;
  reading: Promise<void> | null;
}

export class Uploads implements UploadService {
  private readonly entries = new Map<string, Entry>();
  private readonly files: UploadFiles;
  private readonly now: () => number;
  private readonly stopping = new AbortController();
  private sweeper: NodeJS.Timeout | undefined;

  private constructor(private readonly options: UploadsOptions) {
    this.files = new UploadFiles(options.folder);
    this.now = options.now ?? Date.now;
  }

  /** Takes up what an earlier process left: whole files are read, old ones removed. */
  static async open(options: UploadsOptions): Promise<Uploads> {
    const uploads = new Uploads(options);
    for (const found of await uploads.files.load()) uploads.entries.set(found.record.id, entryOf(found));
    await uploads.sweep();
    for (const entry of uploads.entries.values()) uploads.readWhenWhole(entry);
    uploads.sweeper = setInterval(() => void uploads.sweep(), SWEEP_MS);
    uploads.sweeper.unref();
    return uploads;
  }

  async create(asked: NewUpload): Promise<Upload> {
    // Said now, and not after the last byte.
    chooseReaders(asked.params.format, { formats: FORMATS, envelopes: ENVELOPES });
    const known = asked.fingerprint === null ? undefined : this.sameFile(asked);
    if (known) return this.shown(known);
    await this.sweep();
    const open = this.unfinished().map(({ record, offset }) => ({ size: record.size, offset }));
    requireRoom(asked.size, open, this.options, await this.files.free());
    const record: UploadRecord = {
      ...asked,
      id: randomUUID(),
      state: "receiving",
      createdAt: this.now(),
      result: null,
      problem: null,
    };
    await this.files.write(record);
    const entry: Entry = { record, offset: 0, touchedAt: this.now(), writing: null, reading: null };
    this.entries.set(record.id, entry);
    this.readWhenWhole(entry);
    return this.shown(entry);
  }

  async append(id: string, offset: number, body: AsyncIterable<Uint8Array>): Promise<Upload> {
    const entry = this.entry(id);
    // A sender that comes again takes over from its own lost connection.
    while (entry.writing) {
      entry.writing.abort.abort();
      await entry.writing.done;
    }
    if (entry.record.state !== "receiving")
      throw new CoalmineError("conflict", `Upload ${id} is ${entry.record.state}.`);
    if (offset !== entry.offset)
      throw new CoalmineError("conflict", `offset: is ${offset}; go on from ${entry.offset}, so much is kept.`);
    const abort = new AbortController();
    const writing = this.write(entry, body, AbortSignal.any([abort.signal, this.stopping.signal]));
    entry.writing = { abort, done: writing.catch(() => undefined) };
    try {
      await writing;
    } finally {
      entry.writing = null;
      this.readWhenWhole(entry);
    }
    return this.shown(entry);
  }

  get(id: string): Upload {
    return this.shown(this.entry(id));
  }

  list(): Upload[] {
    return [...this.entries.values()].map((entry) => this.shown(entry)).sort((a, b) => b.createdAt - a.createdAt);
  }

  async complete(id: string): Promise<Upload> {
    const entry = this.entry(id);
    const missing = entry.record.size - entry.offset;
    if (missing > 0) throw new CoalmineError("conflict", `${missing} bytes of upload ${id} are missing.`);
    await this.read(entry);
    const { problem } = entry.record;
    if (problem) throw new CoalmineError(problem.code, problem.message);
    return this.shown(entry);
  }

  async remove(id: string): Promise<void> {
    const entry = this.entry(id);
    entry.writing?.abort.abort();
    await entry.writing?.done;
    // Also when the piece that was broken off had brought the last byte.
    if (entry.reading)
      throw new CoalmineError("conflict", `Upload ${id} is being read; take back its delivery instead.`);
    this.entries.delete(id);
    await this.files.remove(id);
  }

  usage(): UploadUsage {
    const open = this.unfinished();
    const bytes = open.reduce((sum, entry) => sum + entry.offset, 0);
    return { open: open.length, bytes, mostBytes: this.options.mostBytes };
  }

  /** Stops taking bytes; what came is kept for the next process. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    this.stopping.abort();
    await Promise.allSettled([...this.entries.values()].flatMap(({ writing, reading }) => [writing?.done, reading]));
  }

  private entry(id: string): Entry {
    const entry = this.entries.get(id);
    if (!entry) throw new CoalmineError("not_found", `There is no upload ${id}; it may be older than a day.`);
    return entry;
  }

  private unfinished(): Entry[] {
    return [...this.entries.values()].filter(({ record }) => record.state === "receiving");
  }

  private sameFile(asked: NewUpload): Entry | undefined {
    const told = (one: NewUpload) =>
      JSON.stringify([one.name, one.size, one.fingerprint, one.encoding, Object.entries(one.params).sort()]);
    return this.unfinished().find(({ record }) => told(record) === told(asked));
  }

  private async write(entry: Entry, body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const part = await this.files.openPart(entry.record.id);
    const room = entry.record.size - entry.offset;
    await writePiece(part, body, { from: entry.offset, room, signal }, (bytes) => {
      entry.offset += bytes;
      entry.touchedAt = this.now();
    });
  }

  private readWhenWhole(entry: Entry): void {
    if (entry.record.state !== "receiving" || entry.offset < entry.record.size || this.stopping.signal.aborted) return;
    this.read(entry).catch((error: unknown) => {
      if (!(error instanceof CoalmineError) || this.stopping.signal.aborted) return;
      setTimeout(() => this.readWhenWhole(entry), (error.retryAfterS ?? RETRY_S) * 1000).unref();
    });
  }

  /** One reading at a time, shared by all who ask. Rejects with what may go well later; what is final is in the record. */
  private read(entry: Entry): Promise<void> {
    if (entry.record.state !== "receiving") return Promise.resolve();
    entry.reading ??= this.deliver(entry).finally(() => {
      entry.reading = null;
    });
    return entry.reading;
  }

  private async deliver(entry: Entry): Promise<void> {
    const { id, params, name, encoding } = entry.record;
    const body = createReadStream(await this.madePart(id), { highWaterMark: 256 * 1024 });
    const final: Pick<UploadRecord, "state" | "result" | "problem"> = { state: "done", result: null, problem: null };
    try {
      final.result = await this.options.ingest({ params, name, encoding, body, signal: this.stopping.signal });
    } catch (error) {
      const code = errorCode(error);
      if (PASSING.includes(code) || this.stopping.signal.aborted) throw error;
      final.state = "failed";
      final.problem = { code, message: error instanceof CoalmineError ? error.message : "The server's log says more." };
    } finally {
      body.destroy();
    }
    // The bytes go first only after the outcome is kept: a crash in between reads them again, and finds the delivery known.
    await this.files.write({ ...entry.record, ...final });
    Object.assign(entry.record, final);
    entry.touchedAt = this.now();
    await this.files.removePart(id);
  }

  /** The path of the bytes, also of a file without any. */
  private async madePart(id: string): Promise<string> {
    await (await this.files.openPart(id)).close();
    return this.files.partOf(id);
  }

  /** Removes what got nothing for a day. */
  private async sweep(): Promise<void> {
    for (const [id, entry] of this.entries) {
      if (this.now() < entry.touchedAt + DAY_MS || entry.writing || entry.reading) continue;
      this.entries.delete(id);
      // What the disk does not let go of now is found, and is old, at the next start.
      await this.files.remove(id).catch(() => undefined);
    }
  }

  private shown({ record, offset, touchedAt, reading }: Entry): Upload {
    const state = reading && record.state === "receiving" ? "reading" : record.state;
    return { ...record, state, offset, expiresAt: touchedAt + DAY_MS };
  }
}

function entryOf({ record, offset, touchedAt }: FoundUpload): Entry {
  return { record, offset, touchedAt, writing: null, reading: null };
}
