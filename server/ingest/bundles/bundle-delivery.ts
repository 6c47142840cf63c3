/** A delivery that is an archive: kept in a private file until it is whole, then read file by file as one batch. */
import type { DeliveryParams, IngestResult } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import type { DeliveryStore } from "../delivery-store";
import type { Readers } from "../detect-names";
import { BODY_LIMITS, type BodyLimits, checkLimits, decodeBody } from "../ingest-body";
import { Delivery, type DeliveryOptions } from "../ingest-delivery";
import type { BundleKind } from "./bundle-kind";
import { type BundleEntry, entriesOf, namesOf } from "./entries";
import { EntryReaders } from "./entry-readers";
import { leftOutOf } from "./leave-out";
import { LeftOutFiles } from "./left-out-files";
import { sniffBundle } from "./sniff-bundle";
import { Spool } from "./spool";

export interface BundleOptions extends DeliveryOptions {
  /** Where the archive may be kept while it is read; null: the system's own place. */
  dataDir: string | null;
  limits?: BodyLimits;
  signal?: AbortSignal;
}

/** What a delivery is read with. */
export interface Taken {
  store: DeliveryStore;
  params: DeliveryParams;
  readers: Readers;
}

/** An archive in an archive is read (`.eval` logs in a `.tar.gz`); one more level is left out. */
const MOST_LEVELS = 2;
export const MOST_ENTRIES = 200_000;

export class BundleDelivery extends Delivery {
  private spool: Spool | null = null;
  private readonly entries: EntryReaders;
  private readonly leftOut = new LeftOutFiles();
  private unpacked = 0;
  private seen = 0;

  constructor(
    private readonly kind: BundleKind,
    { store, params, readers }: Taken,
    private readonly bundle: BundleOptions,
  ) {
    super(store, params, readers, bundle);
    const context = { params, receivedAt: bundle.receivedAt };
    this.entries = new EntryReaders(context, this.sink, readers, bundle.name ?? params.source);
    this.reader = this.entries;
    this.held = null;
  }

  override async push(chunk: Uint8Array): Promise<void> {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    this.spool ??= await Spool.open(this.bundle.dataDir);
    await this.spool.write(chunk);
  }

  override async finish(): Promise<IngestResult> {
    const known = await this.store.batchByDigest(this.digest());
    if (known) return this.answer(known, true);
    if (this.spool) await this.readArchive(this.kind, this.spool.path, { prefix: "", level: 1 });
    const result = await super.finish();
    return { ...result, leftOut: this.leftOut.list() };
  }

  /** Removes the private file. Call it whatever happened. */
  override async close(): Promise<void> {
    await this.spool?.remove();
    this.spool = null;
  }

  private async readArchive(kind: BundleKind, file: string, at: { prefix: string; level: number }): Promise<void> {
    const out = leftOutOf(await this.checkedNames(kind, file));
    for await (const entry of entriesOf(kind, file)) {
      if (this.bundle.signal?.aborted)
        throw new CoalmineError("invalid", "The delivery was broken off; nothing was kept.");
      const path = `${at.prefix}${entry.path}`;
      const why = out.get(entry.path) ?? null;
      if (why !== null) this.leftOut.add(why, path);
      else await this.readEntry(entry, path, at.level);
    }
  }

  private async checkedNames(kind: BundleKind, file: string): Promise<string[]> {
    const names = await namesOf(kind, file);
    this.seen += names.length;
    if (this.seen > MOST_ENTRIES)
      throw new CoalmineError("too_large", `The archive holds more than ${MOST_ENTRIES} files. Send it in parts.`);
    return names;
  }

  private async readEntry(entry: BundleEntry, path: string, level: number): Promise<void> {
    if (!entry.open) {
      this.leftOut.add(entry.why ?? "cannot be read", path);
      return;
    }
    try {
      const { kind, head, chunks } = await sniffBundle(
        decodeBody(await entry.open(), entry.encoding ?? packing(path), this.bundle.limits),
      );
      if (kind) await this.readInner(kind, path, chunks, level);
      else if (head.subarray(0, 1024).includes(0)) this.leftOut.add("binary files", path);
      else await this.readText(path, chunks);
    } catch (error) {
      // One file that is broken or of a kind that cannot be read does not take the others with it.
      if (
        !(error instanceof CoalmineError && (error.code === "unsupported" || error.code === "invalid")) ||
        /^broken (?:zip|tar)/.test(error.message)
      )
        throw error;
      this.entries.close();
      this.leftOut.add(error.message, path);
    }
  }

  private async readInner(
    kind: BundleKind,
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    level: number,
  ): Promise<void> {
    if (level >= MOST_LEVELS) {
      this.leftOut.add("archives in archives of archives", path);
      return;
    }
    const spool = await Spool.open(this.bundle.dataDir);
    try {
      for await (const chunk of chunks) {
        this.countUnpacked(chunk.length);
        await spool.write(chunk);
      }
      await this.readArchive(kind, spool.path, { prefix: `${path}/`, level: level + 1 });
    } finally {
      await spool.remove();
    }
  }

  private async readText(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    this.entries.begin(path);
    for await (const chunk of chunks) {
      this.countUnpacked(chunk.length);
      this.unwritten += chunk.length;
      this.entries.push(chunk);
      if (this.isDue()) await this.write();
    }
    this.entries.close();
    if (this.isDue()) await this.write();
  }

  /** All files together are bounded like one body. */
  private countUnpacked(bytes: number): void {
    this.unpacked += bytes;
    checkLimits(this.unpacked, this.bytes, this.bundle.limits ?? BODY_LIMITS);
  }
}

/** Compressed files in archives; gzip shows itself. */
function packing(path: string): string | null {
  if (/\.zst$/.test(path)) return "zstd";
  return /\.br$/.test(path) ? "br" : null;
}
