/** A log record in JSON: level and message under their usual names, an exception or a Node.js error beside them. */
import type { Evidence, Layer } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { bounded } from "./bounded";
import { exceptionInside, exceptionLine, exceptionRepr } from "./exceptions";
import { idsIn, peerIn } from "./ids-in-text";
import { booleanOf, type JsonObject, numberOf, objectAt, textOf } from "./json-fields";
import { levelOf } from "./log-line";
import { providerEvidence } from "./provider-lines";

const LAYERS: Record<string, Layer> = { sandbox: "agent", server: "server", execd: "execd", egress: "harness" };
const LOGGERS: Record<string, Layer> = { "opensandbox.ingress": "gateway", batchsandbox: "server", pool: "server" };
/** The controller says these at info: sandboxes that were left behind. */
const LEFT_BEHIND = /collecting orphan pods|queuing orphan pods/;
const WENT_WELL = /\b(?:retry ok|exec ok|recovered|succeeded)\b/;

/** `undefined`: not such a record. `null`: progress. */
export function logSeen(record: JsonObject): Seen | null | undefined {
  const message = textOf(record, "msg", "message", "event", "err", "error");
  if (message === undefined) return undefined;
  const level = levelField(record);
  const full = bounded(fullMessage(record, message));
  const typed = providerEvidence(full);
  const kind = typed?.kind ?? kindOf(message, full, level, record);
  if (kind === null) return null;
  const evidence: Evidence = {
    layer: LEFT_BEHIND.test(message) ? "server" : layerOf(record),
    ...typed,
    kind,
    message: full,
    ...peerIn(full),
    ...socketOf(record),
    ...errorOf(record, full),
  };
  if (level) evidence.level = level;
  if (kind === "lifecycle" || /^create\b/.test(message))
    Object.assign(evidence, { phase: "create", operation: "create" });
  const operationId = textOf(record, "reqId", "request_id", "requestId");
  const attempt = numberOf(record, "attempt");
  if (operationId) evidence.operationId = operationId;
  if (attempt !== undefined) evidence.attempt = attempt;
  return { evidence, ...idsIn(full), ...(kind === "lifecycle" ? { alsoStream: true } : {}) };
}

/** Whose line it is, by its source, its logger or its Kubernetes controller. */
function layerOf(record: JsonObject): Layer {
  const source = textOf(record, "src", "component") ?? "";
  const logger = textOf(record, "logger", "controller") ?? "";
  return LAYERS[source] ?? LOGGERS[logger] ?? "harness";
}

/** Only typed lines of level info count: the rest may quote anything. */
function kindOf(message: string, full: string, level: Evidence["level"], record: JsonObject): Evidence["kind"] | null {
  if (/^created\b/.test(message)) return "lifecycle";
  if (WENT_WELL.test(message)) return "success";
  if (LEFT_BEHIND.test(message)) return "line";
  if (level === "error" || level === "fatal") return "error";
  const code = errorObject(record) !== undefined || textOf(record, "code", "exc", "exception") !== undefined;
  if (level === "warn") return code || exceptionInside(full) ? "error" : "line";
  if (level === undefined) return "err" in record || "error" in record || exceptionLine(message) ? "error" : "line";
  return null;
}

/** pino and bunyan count in tens. */
function levelField(record: JsonObject): Evidence["level"] {
  const number = numberOf(record, "level");
  if (number === undefined) return levelOf(textOf(record, "level", "lvl", "severity", "severityText", "levelname"));
  if (number >= 60) return "fatal";
  if (number >= 50) return "error";
  if (number >= 40) return "warn";
  return number >= 30 ? "info" : "debug";
}

function errorObject(record: JsonObject): JsonObject | undefined {
  const error = objectAt(record, "err") ?? objectAt(record, "error");
  return objectAt(error, "cause") ?? error;
}

function fullMessage(record: JsonObject, message: string): string {
  const detail =
    textOf(record, "exc", "exception", "exc_info", "traceback") ??
    textOf(errorObject(record), "message") ??
    textOf(record, "error", "err") ??
    textOf(record, "stack")?.split("\n", 1)[0];
  return detail && !message.includes(detail) ? `${message}: ${detail}` : message;
}

function errorOf(record: JsonObject, full: string): Partial<Evidence> {
  const error = errorObject(record);
  const code = textOf(error, "code") ?? textOf(record, "code");
  const type =
    (textOf(record, "exc") ? (exceptionLine(textOf(record, "exc") ?? "") ?? exceptionRepr(full))?.type : undefined) ??
    (code ? (textOf(error, "type", "name") ?? textOf(record, "name")) : undefined) ??
    exceptionInside(full)?.type;
  const found: Partial<Evidence> = {};
  if (code) found.code = code;
  if (type) found.errorType = type;
  return found;
}

function socketOf(record: JsonObject): Pick<Evidence, "reusedSocket" | "idleMs" | "bytesRead"> {
  const found: Pick<Evidence, "reusedSocket" | "idleMs" | "bytesRead"> = {};
  const reused = booleanOf(record, "reused", "reusedSocket", "conn_reused");
  const idleMs = numberOf(record, "idleMs", "idle_ms");
  const bytesRead = numberOf(record, "bytesRead") ?? numberOf(objectAt(record, "socket"), "bytesRead");
  if (reused !== undefined) found.reusedSocket = reused;
  if (idleMs !== undefined) found.idleMs = idleMs;
  if (bytesRead !== undefined) found.bytesRead = bytesRead;
  return found;
}
