/** The parts that readers of rollout records share: errors that a record tells as text, and records that are broken. */
import type { Evidence } from "@/server/domain/evidence";
import type { Payload, Sink } from "../format";
import { bounded } from "./bounded";
import { errorText } from "./gym-errors";
import { jsonFault } from "./json-fields";
import { stripAnsi } from "./log-line";

/** Evidence of an error that a record's own field holds, with the fields that the producer typed. `kind: retry` was tried again. */
export function recordError(
  text: string | undefined,
  traceback: string | undefined,
  typed: Partial<Evidence> = {},
): Evidence {
  const evidence: Evidence = { layer: "record", kind: "error", ...errorText(plain(text), plain(traceback)), ...typed };
  const message = evidence.message ?? evidence.errorType ?? evidence.producerClass;
  return message === undefined ? evidence : { ...evidence, message: bounded(message) };
}

/** Producers print errors in colour before they keep them. */
function plain(text: string | undefined): string | undefined {
  return text === undefined ? undefined : stripAnsi(text);
}

/** The error in words, as a rollout keeps it; null without one that ended the attempt. */
export function errorWords(evidence: readonly Evidence[]): string | null {
  const error = evidence.find((one) => one.kind === "error");
  return error ? (error.message ?? error.producerClass ?? error.errorType ?? "failed").slice(0, 2000) : null;
}

/** Rejects a record: `fault` names the field and its type; without one its JSON is broken. */
export function rejectRecord(payload: Payload, sink: Sink, fault: string | null): void {
  const { code, message } = fault ? { code: "invalid_type" as const, message: fault } : jsonFault(payload.text);
  sink.reject(payload.line, code, message, payload.text.slice(0, 500));
}
