/** What a thread and its owner say to each other. Values are structured-cloned; errors travel as plain fields. */
import type { OwnRuleSpec } from "@/server/classify/own/own-rule";
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

/** To and from a thread that only answers. */
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
  /** Of a script that serves as several threads, which of them this is. */
  part?: "writer";
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
