import type { Reject } from "./facts";
import type { BatchCounts } from "./segment";
import type { Origin } from "./taxonomy-words";

/** What a delivery says about itself as a whole. */
export interface DeliveryParams {
  format: string;
  run: string | null;
  source: string;
  node: string | null;
  cluster: string;
  /** IANA zone or offset for naive times; null = UTC, marked assumed. */
  tz: string | null;
  origin: Origin;
}

export const BATCH_STATES = ["receiving", "complete", "undoing"] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** One delivery. `id` is random while receiving; `digest` (sha256 of decoded bytes and params) makes it idempotent. */
export interface Batch extends DeliveryParams, BatchCounts {
  id: string;
  digest: string | null;
  state: BatchState;
  receivedAt: number;
  completedAt: number | null;
  /** File name where the sender gave one. */
  name: string | null;
  /** Said when it is opened: of the formats and envelopes that read it. */
  readerVersion?: string;
}

/** Files of an archive that were not read, by reason. */
export interface LeftOut {
  why: string;
  files: number;
  /** The first few of them. */
  examples: string[];
}

/** The answer to one delivery (design.md §4). */
export interface IngestResult extends BatchCounts {
  batchId: string;
  duplicateBatch: boolean;
  format: string;
  /** The first 100; the rest through `GET /batches/{id}/rejects`. */
  rejects: Pick<Reject, "line" | "code" | "message">[];
  /** Of an archive: what in it was not read. Left out for other bodies, and when the delivery was known. */
  leftOut?: LeftOut[];
}
