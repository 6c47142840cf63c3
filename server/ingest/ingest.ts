/** One delivery from bytes to durable rows: decode, hash, read, write in segments, derive. Bounded memory, idempotent by batch and by record. */
import type { Classifier } from "@/server/classify/classifier";
import type { DeliveryParams, IngestResult } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { BundleDelivery, type Taken } from "./bundles/bundle-delivery";
import type { BundleKind } from "./bundles/bundle-kind";
import { sniffBundle } from "./bundles/sniff-bundle";
import { type DeliveryStore, deliveryStoreOf } from "./delivery-store";
import type { Readers } from "./detect-names";
import { ENVELOPES } from "./envelopes/list";
import { FORMATS } from "./formats/list";
import { type BodyLimits, decodeBody } from "./ingest-body";
import { Delivery, type IngestProgress, type SegmentLimits } from "./ingest-delivery";

export interface IngestOptions extends Partial<Readers> {
  /** Epoch ms; dates records whose time lacks a year. */
  receivedAt: number;
  /** File name where the sender gave one. */
  name: string | null;
  /** `Content-Encoding` of the chunks; null = identity. */
  encoding?: string | null;
  limits?: BodyLimits;
  segment?: Partial<SegmentLimits>;
  /** What judges the evidence; default the built-in rules alone. */
  classifier?: Classifier;
  onProgress?: (progress: IngestProgress) => void;
  signal?: AbortSignal;
  /** Where an archive may be kept while it is read; default: the system's own place for such files. */
  dataDir?: string | null;
}

/** Pieces in which long chunks are read, so that segments stay near their bounds. */
const PIECE_BYTES = 256 * 1024;

/**
 * Takes one delivery. Resolves when it is durable and derived; rejects with nothing of it kept: `invalid` (unknown format, broken
 * encoding), `unsupported` (nothing in it was understood), `too_large`, `storage_full`, `unavailable`.
 */
export async function ingest(
  store: Store | DeliveryStore,
  params: DeliveryParams,
  chunks: AsyncIterable<Uint8Array>,
  options: IngestOptions,
): Promise<IngestResult> {
  const readers: Readers = { formats: options.formats ?? FORMATS, envelopes: options.envelopes ?? ENVELOPES };
  let delivery: Delivery | null = null;
  try {
    const body = await sniffBundle(decodeBody(chunks, options.encoding ?? null, options.limits));
    delivery = deliveryOf(body.kind, { store: deliveryStoreOf(store), params, readers }, options);
    for await (const chunk of body.chunks) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        checkAborted(options.signal);
        await delivery.push(chunk.subarray(at, at + PIECE_BYTES));
      }
    }
    checkAborted(options.signal);
    return await delivery.finish();
  } catch (error) {
    await delivery?.drop();
    throw error;
  } finally {
    await delivery?.close();
  }
}

function deliveryOf(kind: BundleKind | null, taken: Taken, options: IngestOptions): Delivery {
  if (kind === null) return new Delivery(taken.store, taken.params, taken.readers, options);
  return new BundleDelivery(kind, taken, { ...options, dataDir: options.dataDir ?? null });
}

function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new CoalmineError("invalid", "The delivery was broken off before its end; nothing was kept.");
}
