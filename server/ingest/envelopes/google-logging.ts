/** Google Cloud Logging's entries, as `gcloud logging read --format=json`, a sink or an export write them: `resource` says who. */
import type { Payload, Who } from "../format";
import { type JsonObject, objectAt, textOf } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { journal } from "./journal";
import { recordEnvelope } from "./json-record";
import { definedOf, whoFromLabels } from "./kubernetes-labels";
import { unwrapInner } from "./nested";

const UTC = { tz: "+00:00", receivedAt: 0 };
const LOOKS = /"(?:textPayload|jsonPayload)"\s*:/;
const POD_LABEL = "k8s-pod/";

export const googleLogging = recordEnvelope("google-logging", looksOurs, payloadOf);

function looksOurs(line: string): boolean {
  return line.startsWith("{") && LOOKS.test(line) && /"(?:resource|logName|insertId)"\s*:/.test(line);
}

function payloadOf(record: JsonObject, line: number): Payload | null {
  const json = objectAt(record, "jsonPayload");
  const text = textOf(record, "textPayload") ?? (json ? JSON.stringify(json) : undefined);
  if (text === undefined) return null;
  const at = (timeOf(record.timestamp, UTC) ?? timeOf(record.receiveTimestamp, UTC))?.at ?? null;
  const payload: Payload = { who: whoOf(record), at, text: text.replace(/\r?\n$/, ""), line };
  if (!json || textOf(record, "textPayload")) return unwrapInner(payload);
  payload.json = json;
  return ofMachine(payload) ?? ofMessage(payload, json);
}

/** A node's journal stands as it was in the payload. */
function ofMachine(payload: Payload): Payload | null {
  const inner = journal.open(payload.text, payload.line);
  const found = inner && "payloads" in inner ? inner.payloads[0] : undefined;
  return found ? { ...payload, json: undefined, ...found, at: payload.at ?? found.at } : null;
}

/** An agent wraps a line of plain text as an object with nothing but a message. */
function ofMessage(payload: Payload, json: JsonObject): Payload {
  const names = Object.keys(json);
  if (names.length !== 1 || typeof json.message !== "string") return payload;
  return unwrapInner({ ...payload, json: undefined, text: json.message.replace(/\r?\n$/, "") });
}

function whoOf(record: JsonObject): Who {
  const resource = objectAt(record, "resource", "labels") ?? {};
  const labels = objectAt(record, "labels") ?? {};
  const podLabels = Object.entries(labels)
    .filter(([name]) => name.startsWith(POD_LABEL))
    .map(([name, value]) => [name.slice(POD_LABEL.length), value]);
  return definedOf({
    ...whoFromLabels(Object.fromEntries(podLabels)),
    node: textOf(labels, "compute.googleapis.com/resource_name") ?? textOf(resource, "node_name"),
    namespace: textOf(resource, "namespace_name"),
    pod: textOf(resource, "pod_name"),
    container: textOf(resource, "container_name"),
    stream: /\/(stdout|stderr)$/.exec(textOf(record, "logName") ?? "")?.[1],
  });
}
