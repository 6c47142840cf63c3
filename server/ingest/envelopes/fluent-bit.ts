/**
 * Fluent Bit (and Fluentd) records as JSON lines: `date`, `stream` and the Kubernetes filter's block beside the line, which is `log`
 * (`message` after the parser named cri), parsed in `log_processed`, or merged into the record with no `log` kept.
 */
import type { Envelope, Payload, Who } from "../format";
import { isObject, type JsonObject, jsonFault, objectAt, textOf } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { shareOf } from "./head-lines";
import { definedOf, whoFromLabels } from "./kubernetes-labels";
import { unwrapInner } from "./nested";

const UTC = { tz: "+00:00", receivedAt: 0 };
const BEGINS = /^\{"(?:date|log|@timestamp|time|stream|kubernetes|tag|logtag|message)":/;
const OURS = /"(?:kubernetes|date|log_processed|logtag|_p)":/;
/** The filter writes the pod's name first; Vector's block does not begin so. */
const BLOCK = /"kubernetes":\{"pod_name":/;
/** The same block with its keys in another order, after a filter or a shipper sorted them. */
const SORTED = /"kubernetes":\{[^{}]{0,500}"(?:host|namespace_name|docker_id)":/;
/** `[time,{record}]`, alone or behind its tag: the forward protocol as JSON, and the standard output. */
const TAGGED = /^(?:[\w./-]+: )?\[(\d{10}(?:\.\d+)?), ?\{("(?:log|stream|kubernetes|time|message)":.*\})\]$/s;
/** What the collector adds to a record: the rest is the line, merged into it. */
const ADDED = new Set(["date", "time", "@timestamp", "stream", "_p", "logtag", "kubernetes", "tag", "log_processed"]);

export const fluentBit: Envelope = {
  name: "fluent-bit",
  detect: (head) =>
    shareOf(
      head,
      (line) => looksOurs(line) && (BLOCK.test(line) || SORTED.test(line) || /"log(?:_processed)?":/.test(line)),
    ),
  open(line, lineNumber) {
    const tagged = TAGGED.exec(line);
    if (tagged) return fluentBit.open(`{"date":${tagged[1]},${tagged[2]}`, lineNumber);
    if (!looksOurs(line)) return null;
    const record = splitRecord(line) ?? parsed(line);
    if (record === undefined) return { reject: jsonFault(line) };
    if (!isObject(record) || !isOurs(record)) return null;
    return { payloads: [unwrapInner(payloadOf(record, lineNumber))] };
  },
};

function looksOurs(line: string): boolean {
  if (TAGGED.test(line)) return true;
  return (BEGINS.test(line) && OURS.test(line)) || (line.startsWith('{"') && BLOCK.test(line));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Kubernetes blocks of pods seen lately, by their text: a fleet repeats a few hundred of them millions of times. */
const blocks = new Map<string, JsonObject>();
const MAX_BLOCKS = 4_000;
const MARK = ',"kubernetes":{';

/**
 * The record with its Kubernetes block taken from the cache, when that block is its last key; undefined when it is not.
 * Quotes inside a JSON string are escaped, so the mark is a key; that what is before it parses shows that the key is the record's own.
 */
function splitRecord(line: string): JsonObject | undefined {
  const at = line.lastIndexOf(MARK);
  if (at < 0 || !line.endsWith("}}")) return undefined;
  const text = line.slice(at + MARK.length - 1, -1);
  let block = blocks.get(text);
  if (!block) {
    const read = parsed(text);
    if (!isObject(read)) return undefined;
    block = read;
    if (blocks.size >= MAX_BLOCKS) blocks.clear();
    blocks.set(text, block);
  }
  const head = parsed(`${line.slice(0, at)}}`);
  if (!isObject(head)) return undefined;
  head.kubernetes = block;
  return head;
}

/** Vector writes the same block with names of its own. */
function isVectors(record: JsonObject, block: JsonObject): boolean {
  return record.source_type !== undefined || block.pod_namespace !== undefined || block.pod_node_name !== undefined;
}

function isOurs(record: JsonObject): boolean {
  if (isObject(record.kubernetes) && record.kubernetes.pod_name !== undefined && !isVectors(record, record.kubernetes))
    return true;
  const hasBody = typeof record.log === "string" || isObject(record.log_processed) || isObject(record.log);
  return (
    hasBody &&
    (isObject(record.kubernetes) || record.date !== undefined || record.logtag !== undefined || record._p !== undefined)
  );
}

function payloadOf(record: JsonObject, line: number): Payload {
  const { raw, parsed } = lineOf(record);
  const time = timeOf(record.time, UTC) ?? timeOf(record.date, UTC) ?? timeOf(record["@timestamp"], UTC);
  const payload: Payload = {
    who: whoOf(record),
    at: time?.at ?? null,
    text: raw?.replace(/\r?\n$/, "") ?? JSON.stringify(parsed),
    line,
  };
  const written = textOf(record, "time", "date");
  if (written) payload.time = written;
  if (parsed) payload.json = parsed;
  if (record.logtag === "P") payload.partial = true;
  return payload;
}

/** The line as text, as an object, or as both. */
function lineOf(record: JsonObject): { raw?: string; parsed?: JsonObject } {
  const { log, log_processed: processed, message } = record;
  const parsed = isObject(processed) ? processed : isObject(log) ? log : undefined;
  if (typeof log === "string") return { raw: log, parsed };
  if (parsed) return { parsed };
  const merged = Object.entries(record).filter(([key]) => !ADDED.has(key));
  const isAlone = typeof message === "string" && merged.length === 1;
  return isAlone ? { raw: message } : { parsed: Object.fromEntries(merged) };
}

/** Who by block and stream; nobody changes one after it was made. */
const knownWho = new WeakMap<JsonObject, Map<string, Who>>();

function whoOf(record: JsonObject): Who {
  const block = objectAt(record, "kubernetes");
  const stream = textOf(record, "stream") ?? "";
  if (!block) return stream ? { stream } : {};
  let streams = knownWho.get(block);
  if (!streams) {
    streams = new Map();
    knownWho.set(block, streams);
  }
  let who = streams.get(stream);
  if (!who) {
    who = stream ? { ...podOf(block), stream } : podOf(block);
    streams.set(stream, who);
  }
  return who;
}

/** Who the Kubernetes filter's block names. */
export function podOf(pod: JsonObject): Who {
  return definedOf({
    ...whoFromLabels(objectAt(pod, "labels")),
    node: textOf(pod, "host", "node_name"),
    namespace: textOf(pod, "namespace_name", "namespace"),
    pod: textOf(pod, "pod_name"),
    podUid: textOf(pod, "pod_id", "pod_uid"),
    podIp: textOf(pod, "pod_ip"),
    container: textOf(pod, "container_name"),
  });
}
