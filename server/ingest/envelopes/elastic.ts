/**
 * Records in the Elastic Common Schema, as Filebeat, Elastic Agent and Kibana's exports write them: `kubernetes.pod.name` and its
 * siblings nested or under dotted names, alone or as a search hit's `_source`. Metricbeat's events become events again.
 */
import type { Payload } from "../format";
import { isObject, type JsonObject } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { fieldAt, recordEnvelope, textAt } from "./json-record";
import { definedOf, whoFromLabels } from "./kubernetes-labels";
import { unwrapInner } from "./nested";

const UTC = { tz: "+00:00", receivedAt: 0 };
const LOOKS =
  /"(?:_source|kubernetes\.pod\.name|kubernetes\.event\.\w+)"\s*:|"kubernetes"\s*:\s*\{.*"(?:pod|event)"\s*:\s*\{/;
const LABELS = "kubernetes.labels.";

export const elastic = recordEnvelope("elastic", looksOurs, (record, line) => {
  const payload = payloadOf(isObject(record._source) ? record._source : record, line);
  return payload && unwrapInner(payload);
});

function looksOurs(line: string): boolean {
  return line.startsWith("{") && LOOKS.test(line);
}

function payloadOf(record: JsonObject, line: number): Payload | null {
  const event = eventOf(record);
  const text = event ? JSON.stringify(event) : textAt(record, "message", "log", "event.original");
  if (text === undefined) return null;
  const payload: Payload = {
    who: definedOf({
      ...whoFromLabels(labelsOf(record)),
      node: textAt(
        record,
        "kubernetes.node.name",
        "kubernetes.node.hostname",
        "kubernetes.host",
        "kubernetes.node_name",
      ),
      namespace: textAt(record, "kubernetes.namespace", "kubernetes.namespace_name"),
      pod: textAt(record, "kubernetes.pod.name", "kubernetes.pod_name"),
      podUid: textAt(record, "kubernetes.pod.uid", "kubernetes.pod_id"),
      podIp: textAt(record, "kubernetes.pod.ip"),
      container: textAt(record, "kubernetes.container.name", "kubernetes.container_name"),
      stream: textAt(record, "stream"),
    }),
    at: (timeOf(record["@timestamp"], UTC) ?? timeOf(record.timestamp, UTC))?.at ?? null,
    text: text.replace(/\r?\n$/, ""),
    line,
  };
  if (event) payload.json = event;
  return event || payload.who.pod || payload.who.node ? payload : null;
}

/** Labels under `kubernetes.labels`; exports flatten them into keys of their own. */
function labelsOf(record: JsonObject): JsonObject {
  const nested = fieldAt(record, "kubernetes.labels");
  const flat = Object.entries(record)
    .filter(([name]) => name.startsWith(LABELS))
    .map(([name, value]) => [name.slice(LABELS.length), value]);
  return { ...(isObject(nested) ? nested : {}), ...Object.fromEntries(flat) };
}

function eventOf(record: JsonObject): JsonObject | null {
  const event = fieldAt(record, "kubernetes.event");
  const reason = isObject(event) ? textAt(event, "reason") : undefined;
  if (!isObject(event) || reason === undefined) return null;
  return {
    kind: "Event",
    metadata: {
      name: textAt(event, "metadata.name", "metadata.uid") ?? reason,
      namespace: textAt(event, "metadata.namespace", "involved_object.namespace"),
      uid: textAt(event, "metadata.uid"),
    },
    involvedObject: fieldAt(event, "involved_object") ?? {},
    reason,
    message: textAt(event, "message") ?? textAt(record, "message"),
    type: textAt(event, "type") ?? "Normal",
    source: fieldAt(event, "source") ?? {},
    count: fieldAt(event, "count"),
    firstTimestamp: textAt(event, "timestamp.first_occurrence"),
    lastTimestamp: textAt(event, "timestamp.last_occurrence", "metadata.timestamp.created") ?? record["@timestamp"],
  };
}
