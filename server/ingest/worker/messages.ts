/** What the ingest thread and its owner say to each other, besides calls. */
import type { DeliveryParams, IngestResult } from "@/server/domain/batch";
import type { AnswerMessage, CallMessage, PlainError } from "@/server/threads/messages";

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
