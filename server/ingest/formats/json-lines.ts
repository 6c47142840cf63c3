/**
 * JSON records of harnesses without a format of their own: HTTP answers, ended commands, create stages, probes, log records.
 * Fields are found by their usual names. `run` here is the harness's own name of an attempt.
 */
import type { Format, FormatContext, Payload, Seen, Sink } from "../format";
import { sandboxFields } from "./ids-in-text";
import { controllerSeen } from "./json-controller";
import { execSeen } from "./json-exec";
import { type JsonObject, jsonFault, looksLikeObject, numberOf, objectOf, textOf, typeWord } from "./json-fields";
import { httpSeen } from "./json-http";
import { logSeen } from "./json-log";
import { probeSeen } from "./json-probe";
import { stagesSeen } from "./json-stages";
import { type ReadTime, timeOf } from "./times";

const TIME_FIELDS = [
  ...["ts", "t", "time", "timestamp", "@timestamp", "ts_ns", "date", "bsb_created"],
  ...["asctime", "datetime", "timestamp_ms", "created", "eventTime", "occurred_at"],
];
/** Tried in this order: the most particular first. */
const READERS = [probeSeen, stagesSeen, controllerSeen, httpSeen, execSeen, logSeen];

export const jsonLines: Format = {
  name: "json-lines",
  title: "JSON records of a harness: HTTP answers, commands, create stages, log lines",
  unit: "line",
  accepts(payload) {
    if (payload.who.container === "sandbox") return false;
    return payload.json !== undefined ? objectOf(payload) !== null : looksLikeObject(payload.text);
  },
  read: readRecord,
};

function readRecord(payload: Payload, sink: Sink, context: FormatContext): void {
  const record = objectOf(payload);
  if (!record) {
    const { code, message } = jsonFault(payload.text);
    sink.reject(payload.line, code, message, payload.text.slice(0, 500));
    return;
  }
  const fault = faultOf(record);
  if (fault) {
    sink.reject(payload.line, "invalid_type", fault, payload.text.slice(0, 500));
    return;
  }
  const found = firstSeen(record);
  if (!found) {
    sink.routine(payload);
    return;
  }
  const time = recordTime(record, context);
  const seen: Seen = { ...idsOf(record), ...found };
  if (time) Object.assign(seen, { at: time.at, atAssumed: time.assumed });
  sink.observe(payload, seen);
}

function firstSeen(record: JsonObject): Seen | null {
  for (const read of READERS) {
    const seen = read(record);
    if (seen !== undefined) return seen;
  }
  return null;
}

const MUST_BE: Record<string, "string" | "number"> = {
  sandbox_id: "string",
  sandbox: "string",
  bsb: "string",
  node: "string",
  rc: "number",
  exit_code: "number",
  dur_ms: "number",
};

/** The first field of a wrong type, in words. */
function faultOf(record: JsonObject): string | null {
  for (const [name, type] of Object.entries(MUST_BE)) {
    const value = record[name];
    if (value !== undefined && value !== null && typeof value !== type)
      return `${name} must be a ${type}, got ${typeWord(value)}`;
  }
  return null;
}

function recordTime(record: JsonObject, { params, receivedAt }: FormatContext): ReadTime | null {
  for (const field of TIME_FIELDS) {
    const time = timeOf(record[field], { tz: params.tz, receivedAt });
    if (time) return time;
  }
  return null;
}

/** A cloud's runner is the machine that its sandboxes share. */
function idsOf(record: JsonObject): Pick<Seen, "sandbox" | "node" | "attempt"> {
  const ids: Pick<Seen, "sandbox" | "node" | "attempt"> = {};
  // The controller's records name the resource that they are about, and a sandbox's has its id.
  const sandbox =
    sandboxFields(record)[0] ?? (record.controller === "batchsandbox" ? textOf(record, "name") : undefined);
  const node = textOf(record, "node", "node_name", "nodeName", "runner");
  const attempt = textOf(record, "run", "run_id") ?? numberOf(record, "run", "run_id")?.toString();
  if (sandbox) ids.sandbox = sandbox;
  if (node) ids.node = node;
  if (attempt) ids.attempt = attempt;
  return ids;
}
