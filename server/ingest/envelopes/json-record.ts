/** What envelopes of JSON records share: parsing a line that looks theirs, and fields that stand nested or under a dotted name. */
import type { Envelope, Payload, Unwrapped } from "../format";
import { isObject, type JsonObject, jsonFault } from "../formats/json-fields";
import { shareOf } from "./head-lines";

/** An envelope of one JSON record a line: `looksOurs` tells it by its text, `payloadOf` reads it, or null when it is another's after all. */
export function recordEnvelope(
  name: string,
  looksOurs: (line: string) => boolean,
  payloadOf: (record: JsonObject, line: number) => Payload | null,
): Envelope {
  return {
    name,
    detect: (head) => shareOf(head, looksOurs),
    open(line, lineNumber) {
      const read = looksOurs(line) ? recordOf(line) : null;
      if (read === null || "reject" in read) return read;
      const payload = payloadOf(read.record, lineNumber);
      return payload && { payloads: [payload] };
    },
  };
}

/** The record of a line that begins like an object; a reject when it is cut off or broken; null when it is something else. */
export function recordOf(line: string): { record: JsonObject } | Exclude<Unwrapped, { payloads: unknown }> {
  if (!line.startsWith("{")) return null;
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return { reject: jsonFault(line) };
  }
  return isObject(record) ? { record } : null;
}

/** `a.b.c` of a record, whether it is nested, flattened into one key, or half of both; undefined when it is not there. */
export function fieldAt(record: JsonObject, path: string): unknown {
  if (record[path] !== undefined) return record[path];
  for (let dot = path.indexOf("."); dot > 0; dot = path.indexOf(".", dot + 1)) {
    const inner = record[path.slice(0, dot)];
    const found = isObject(inner) ? fieldAt(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first of these paths that holds a text. */
export function textAt(record: JsonObject, ...paths: string[]): string | undefined {
  for (const path of paths) {
    const value = fieldAt(record, path);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
