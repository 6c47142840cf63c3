/** What threads say to each other. Values are structured-cloned; errors travel as plain fields. */
import type { OwnRuleSpec } from "@/server/classify/own/own-rule";
import type { DeliveryParams, IngestResult } from "@/server/domain/batch";
import { CoalmineError, type ErrorCode } from "@/server/domain/errors";

export interface PlainError {
  code: ErrorCode;
  message: string;
  retryAfterS?: number;
}

/** One method call on the thread's store, or one of its own operations. */
export interface CallMessage {
  type: "call";
  id: number;
  method: string;
  args: unknown[];
}

export interface AnswerMessage {
  type: "answer";
  id: number;
  value?: unknown;
  error?: PlainError;
}

export interface BeginMessage {
  type: "begin";
  id: number;
  params: DeliveryParams;
  options: { receivedAt: number; name: string | null; encoding: string | null };
}

export type ToIngest =
  | CallMessage
  | BeginMessage
  | { type: "chunk"; id: number; bytes: Uint8Array }
  | { type: "end"; id: number }
  | { type: "abort"; id: number; reason: string }
  | { type: "stop" };

export type FromIngest =
  | AnswerMessage
  | { type: "ready" }
  | { type: "failed"; error: PlainError }
  /** So many bytes were taken; the sender may send as many more. */
  | { type: "taken"; id: number; bytes: number }
  | { type: "result"; id: number; result: IngestResult }
  | { type: "refused"; id: number; error: PlainError };

export type ToReader = CallMessage | { type: "stop" };
export type FromReader = AnswerMessage | { type: "ready" } | { type: "failed"; error: PlainError };

/** What a thread is started with. */
export interface ThreadData {
  dataDir: string;
  migrationsFolder?: string;
  maxBodyBytes?: number;
  /** Days of evidence to keep; null or absent = all. */
  retentionDays?: number | null;
  /** The operator's own rules, checked. */
  ownRules?: OwnRuleSpec[];
}

export function packError(error: unknown): PlainError {
  if (error instanceof CoalmineError) {
    return { code: error.code, message: error.message, retryAfterS: error.retryAfterS };
  }
  return { code: "internal", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function unpackError({ code, message, retryAfterS }: PlainError): Error {
  // What we did not expect stays an ordinary error: its text is for the log, not for users.
  return code === "internal" ? new Error(message) : new CoalmineError(code, message, { retryAfterS });
}
