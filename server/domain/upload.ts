import type { DeliveryParams, IngestResult } from "./batch";
import type { ErrorCode } from "./errors";

/** `receiving`: bytes are still missing; `reading`: all are there and being read; the last two are final. */
export const UPLOAD_STATES = ["receiving", "reading", "done", "failed"] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];

/** What a sender says of a file before it sends it in pieces. */
export interface NewUpload {
  name: string;
  /** Bytes of the file as it will be sent. */
  size: number;
  params: DeliveryParams;
  /** `Content-Encoding` of the file as a whole; null when it is not compressed, or the server shall see for itself. */
  encoding: string | null;
  /** Tells this file from others: who begins again with the same one goes on where it stopped. Null = always new. */
  fingerprint: string | null;
}

/** A file that is sent in pieces; times are epoch ms. */
export interface Upload extends NewUpload {
  id: string;
  /** Bytes that are kept so far; the next piece begins here. */
  offset: number;
  state: UploadState;
  createdAt: number;
  /** When it is given up unless more comes. */
  expiresAt: number;
  result: IngestResult | null;
  problem: { code: ErrorCode; message: string } | null;
}

/** An upload as the API says it; times ISO 8601 UTC. */
export interface UploadAnswer extends Pick<Upload, "id" | "name" | "size" | "offset" | "state" | "result" | "problem"> {
  run: string | null;
  source: string;
  createdAt: string;
  expiresAt: string;
}

export interface UploadUsage {
  open: number;
  /** Bytes of unfinished uploads on disk. */
  bytes: number;
  mostBytes: number;
}

/** Keeps the pieces of large files until they are whole, then takes each as one delivery. */
export interface UploadService {
  /** Finds the unfinished upload of the same file, or begins one. Throws `invalid` for an unknown format, `too_large`, `storage_full`, `busy`. */
  create(asked: NewUpload): Promise<Upload>;
  /** Keeps what comes, as far as it comes. Throws `not_found`, `conflict` for a wrong offset, `too_large`, `storage_full`. */
  append(id: string, offset: number, body: AsyncIterable<Uint8Array>): Promise<Upload>;
  /** Throws `not_found`. */
  get(id: string): Upload;
  /** Unfinished ones and those of the last day. */
  list(): Upload[];
  /** Resolves when the delivery is durable. Throws `conflict` while bytes are missing, and what a delivery throws. */
  complete(id: string): Promise<Upload>;
  /** Throws `not_found`, `conflict` while it is being read. */
  remove(id: string): Promise<void>;
  usage(): UploadUsage;
}
