/** OpenTelemetry logs as OTLP/JSON: `resourceLogs` around records with a body, severity and attributes. One document, or one a line. */
import type { Envelope, Payload, Who } from "../format";
import { isObject, type JsonObject, jsonFault, numberOf, objectsOf, textOf } from "../formats/json-fields";
import { levelOf } from "../formats/log-line";
import { epochDigits, epochMs } from "../formats/times";
import { unwrapRecord } from "./collector-record";
import { podOf } from "./fluent-bit";
import { definedOf, whoFromLabels } from "./kubernetes-labels";
import { unwrapInner } from "./nested";
import { attributesOf, otlpValue } from "./otlp-values";

const LOOKS = /^\s*\{\s*"resourceLogs"\s*:/;

export const otlpJson: Envelope = {
  name: "otlp-json",
  detect: (head) => (LOOKS.test(head) ? 1 : 0),
  open(document, lineNumber) {
    if (!LOOKS.test(document)) return null;
    let root: unknown;
    try {
      root = JSON.parse(document);
    } catch {
      return { reject: jsonFault(document) };
    }
    return isObject(root) ? { payloads: otlpPayloads(root, lineNumber) } : null;
  },
};

/** The log records of a decoded export request, whichever encoding it came in. */
export function otlpPayloads(root: JsonObject, line: number): Payload[] {
  return objectsOf(root, "resourceLogs").flatMap((resourceLogs) => {
    const resource = attributesOf((resourceLogs.resource as JsonObject | undefined)?.attributes);
    return objectsOf(resourceLogs, "scopeLogs").flatMap((scope) =>
      objectsOf(scope, "logRecords").map((record) => payloadOf(record, resource, line)),
    );
  });
}

function payloadOf(record: JsonObject, resource: JsonObject, line: number): Payload {
  const attributes = attributesOf(record.attributes);
  const event = eventOf(record, attributes, resource);
  const body = event ?? otlpValue(record.body);
  const payload: Payload = {
    who: whoOf({ ...resource, ...attributes }),
    at: timeOf(record),
    text: typeof body === "string" ? body.replace(/\r?\n$/, "") : JSON.stringify(body ?? ""),
    line,
  };
  if (isObject(body)) payload.json = body;
  const level = levelOf(textOf(record, "severityText")) ?? severity(numberOf(record, "severityNumber"));
  if (level) payload.level = level;
  if (event) return payload;
  const opened = unwrapRecord(payload);
  return typeof body === "string" ? unwrapInner(opened) : opened;
}

/** The events receiver flattens a Kubernetes event into attributes; put together again it is the object that it was. */
function eventOf(record: JsonObject, attributes: JsonObject, resource: JsonObject): JsonObject | null {
  const reason = textOf(attributes, "k8s.event.reason");
  if (!reason) return null;
  const at = timeOf(record);
  const count = attributes["k8s.event.count"];
  return {
    kind: "Event",
    metadata: {
      name: textOf(attributes, "k8s.event.name") ?? textOf(attributes, "k8s.event.uid") ?? reason,
      namespace: textOf(attributes, "k8s.namespace.name") ?? textOf(resource, "k8s.namespace.name"),
      uid: textOf(attributes, "k8s.event.uid"),
    },
    involvedObject: {
      kind: textOf(resource, "k8s.object.kind"),
      name: textOf(resource, "k8s.object.name"),
      namespace: textOf(attributes, "k8s.namespace.name") ?? textOf(resource, "k8s.namespace.name"),
      uid: textOf(resource, "k8s.object.uid"),
    },
    reason,
    message: otlpValue(record.body),
    type: textOf(record, "severityText") ?? "Normal",
    source: { host: textOf(resource, "k8s.node.name") },
    ...(typeof count === "number" ? { count } : {}),
    ...(at === null ? {} : { lastTimestamp: new Date(at).toISOString() }),
  };
}

function timeOf(record: JsonObject): number | null {
  return nanos(record.timeUnixNano) ?? nanos(record.observedTimeUnixNano);
}

/** Nanoseconds as text or number; 0 means that nobody said. */
function nanos(value: unknown): number | null {
  if (typeof value === "string" && /^\d+$/.test(value)) return value.length < 17 ? null : epochDigits(value);
  return typeof value === "number" ? epochMs(value) : null;
}

function severity(number: number | undefined): Payload["level"] {
  if (number === undefined || number < 1) return undefined;
  if (number >= 21) return "fatal";
  if (number >= 17) return "error";
  if (number >= 13) return "warn";
  return number >= 9 ? "info" : "debug";
}

function whoOf(attributes: JsonObject): Who {
  const labels = Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      name.startsWith("k8s.pod.label.") || name.startsWith("k8s.pod.labels.")
        ? [[name.replace(/^k8s\.pod\.labels?\./, ""), value]]
        : [],
    ),
  );
  const own = definedOf({
    ...whoFromLabels(labels),
    node: textOf(attributes, "k8s.node.name", "host.name"),
    namespace: textOf(attributes, "k8s.namespace.name"),
    pod: textOf(attributes, "k8s.pod.name"),
    podUid: textOf(attributes, "k8s.pod.uid"),
    podIp: textOf(attributes, "k8s.pod.ip"),
    container: textOf(attributes, "k8s.container.name"),
    stream: textOf(attributes, "log.iostream", "stream"),
    run: textOf(attributes, "coalmine.run") ?? whoFromLabels(labels).run,
    source: textOf(attributes, "service.name", "log.file.name"),
  });
  // Fluent Bit sends its filter's block as one attribute.
  return isObject(attributes.kubernetes) ? { ...podOf(attributes.kubernetes), ...own } : own;
}
