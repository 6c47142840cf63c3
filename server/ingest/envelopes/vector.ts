/** Vector's records from its Kubernetes source: `message`, `timestamp` and a `kubernetes` object with its own names. */
import type { Envelope, Payload } from "../format";
import { isObject, type JsonObject, jsonFault, objectAt, textOf } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { shareOf } from "./head-lines";
import { definedOf, whoFromLabels } from "./kubernetes-labels";
import { unwrapInner } from "./nested";

const UTC = { tz: "+00:00", receivedAt: 0 };
const LOOKS = /"(?:pod_node_name|pod_namespace|source_type)"\s*:/;

export const vector: Envelope = {
  name: "vector",
  detect: (head) => shareOf(head, (line) => line.startsWith("{") && LOOKS.test(line) && /"message"\s*:/.test(line)),
  open(line, lineNumber) {
    if (!line.startsWith("{") || !LOOKS.test(line)) return null;
    let record: unknown;
    try {
      record = JSON.parse(line);
    } catch {
      return { reject: jsonFault(line) };
    }
    if (!isObject(record) || (typeof record.message !== "string" && !isObject(record.message))) return null;
    return { payloads: [unwrapInner(payloadOf(record, lineNumber))] };
  },
};

function payloadOf(record: JsonObject, line: number): Payload {
  const pod = objectAt(record, "kubernetes") ?? {};
  const message = record.message;
  const payload: Payload = {
    who: definedOf({
      ...whoFromLabels(objectAt(pod, "pod_labels")),
      node: textOf(pod, "pod_node_name") ?? textOf(record, "host"),
      namespace: textOf(pod, "pod_namespace"),
      pod: textOf(pod, "pod_name"),
      podUid: textOf(pod, "pod_uid"),
      podIp: textOf(pod, "pod_ip"),
      container: textOf(pod, "container_name"),
      stream: textOf(record, "stream"),
    }),
    at: timeOf(record.timestamp, UTC)?.at ?? null,
    text: typeof message === "string" ? message.replace(/\r?\n$/, "") : JSON.stringify(message),
    line,
  };
  if (isObject(message)) payload.json = message;
  if (record._partial === true) payload.partial = true;
  return payload;
}
