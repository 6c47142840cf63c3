/** Fluent Bit (and Fluentd) records as JSON lines: `log` or the parsed `log_processed`, `date`, `stream` and the Kubernetes filter's fields. */
import type { Envelope, Payload, Who } from "../format";
import { isObject, type JsonObject, jsonFault, objectAt, textOf } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { shareOf } from "./head-lines";
import { definedOf, whoFromLabels } from "./kubernetes-labels";
import { unwrapInner } from "./nested";

const UTC = { tz: "+00:00", receivedAt: 0 };
const BEGINS = /^\{"(?:date|log|@timestamp|time|stream|kubernetes|tag|logtag|message)":/;
const OURS = /"(?:kubernetes|date|log_processed|logtag)":/;

export const fluentBit: Envelope = {
  name: "fluent-bit",
  detect: (head) => shareOf(head, (line) => BEGINS.test(line) && OURS.test(line) && /"log(?:_processed)?":/.test(line)),
  open(line, lineNumber) {
    if (!BEGINS.test(line)) return null;
    let record: unknown;
    try {
      record = JSON.parse(line);
    } catch {
      return OURS.test(line) ? { reject: jsonFault(line) } : null;
    }
    if (!isObject(record) || !isOurs(record)) return null;
    return { payloads: [unwrapInner(payloadOf(record, lineNumber))] };
  },
};

function isOurs(record: JsonObject): boolean {
  const hasBody = typeof record.log === "string" || isObject(record.log_processed) || isObject(record.log);
  return hasBody && (isObject(record.kubernetes) || record.date !== undefined || record.logtag !== undefined);
}

function payloadOf(record: JsonObject, line: number): Payload {
  const parsed = isObject(record.log_processed) ? record.log_processed : isObject(record.log) ? record.log : undefined;
  const raw = typeof record.log === "string" ? record.log.replace(/\r?\n$/, "") : undefined;
  const time = timeOf(record.time, UTC) ?? timeOf(record.date, UTC) ?? timeOf(record["@timestamp"], UTC);
  const payload: Payload = {
    who: whoOf(record),
    at: time?.at ?? null,
    text: raw ?? JSON.stringify(parsed),
    line,
  };
  if (parsed) payload.json = parsed;
  if (record.logtag === "P") payload.partial = true;
  return payload;
}

function whoOf(record: JsonObject): Who {
  const pod = objectAt(record, "kubernetes") ?? {};
  return definedOf({
    ...whoFromLabels(objectAt(pod, "labels")),
    node: textOf(pod, "host", "node_name"),
    namespace: textOf(pod, "namespace_name", "namespace"),
    pod: textOf(pod, "pod_name"),
    podUid: textOf(pod, "pod_id", "pod_uid"),
    podIp: textOf(pod, "pod_ip"),
    container: textOf(pod, "container_name"),
    stream: textOf(record, "stream"),
  });
}
