/** Loki: push requests and query answers (streams of labels with `[nanoseconds, line]` pairs), and logcli's record a line. */
import type { Envelope, Payload, Who } from "../format";
import { isObject, type JsonObject, jsonFault, objectAt, objectsOf, textOf } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { unwrapRecord } from "./collector-record";
import { definedOf, labelsOf, whoFromLabels } from "./kubernetes-labels";
import { machineWriter } from "./machine-writer";
import { unwrapInner } from "./nested";

const UTC = { tz: "+00:00", receivedAt: 0 };
const DOCUMENT =
  /^\s*\{\s*"(?:streams"\s*:\s*\[|status"\s*:\s*"success"\s*,\s*"data"\s*:\s*\{\s*"resultType"\s*:\s*"streams")/;
const LINE = /^\{"labels":\{.*"line":"/;

export const lokiJson: Envelope = {
  name: "loki-json",
  detect: (head) => (DOCUMENT.test(head) || LINE.test(head) ? 1 : 0),
  open(text, lineNumber) {
    if (!DOCUMENT.test(text) && !LINE.test(text)) return null;
    let root: unknown;
    try {
      root = JSON.parse(text);
    } catch {
      return { reject: jsonFault(text) };
    }
    if (!isObject(root)) return null;
    return {
      payloads: typeof root.line === "string" ? [fromLogcli(root, lineNumber)] : lokiPayloads(root, lineNumber),
    };
  },
};

/** The lines of a decoded push request or query answer, whichever encoding it came in. */
export function lokiPayloads(root: JsonObject, line: number): Payload[] {
  const streams = objectsOf(root, "streams").concat(objectsOf(objectAt(root, "data"), "result"));
  return streams.flatMap((stream) => {
    const labels = objectAt(stream, "stream") ?? {};
    const who = whoOf(labels);
    const values = Array.isArray(stream.values) ? stream.values : [];
    return values.flatMap((value: unknown) => {
      if (!Array.isArray(value) || typeof value[1] !== "string") return [];
      const text = value[1].replace(/\r?\n$/, "");
      // Structured metadata is an entry's own, beside its stream's labels.
      const own = isObject(value[2]) ? whoOf({ ...labels, ...value[2] }) : { ...who };
      return [opened({ who: own, at: timeOf(value[0], UTC)?.at ?? null, text, line })];
    });
  });
}

/** The line without what a runtime or another collector put around it. */
function opened(payload: Payload): Payload {
  return unwrapInner(unwrapRecord(payload));
}

function fromLogcli(record: JsonObject, line: number): Payload {
  const text = String(record.line).replace(/\r?\n$/, "");
  return opened({
    who: whoOf(objectAt(record, "labels") ?? {}),
    at: timeOf(record.timestamp, UTC)?.at ?? null,
    text,
    line,
  });
}

function whoOf(stream: JsonObject): Who {
  const labels = labelsOf(stream);
  const node =
    textOf(labels, "node_name", "node", "nodename", "k8s_node_name", "host", "hostname") ?? machineOf(labels);
  const program =
    textOf(labels, "transport") === "kernel" ? "kernel" : textOf(labels, "syslog_identifier", "systemd_unit", "unit");
  // A machine's journal has no pod.
  if (node && program && textOf(labels, "pod", "pod_name") === undefined) return machineWriter(node, program);
  return definedOf({
    ...whoFromLabels(labels),
    node,
    namespace: textOf(labels, "namespace", "k8s_namespace_name"),
    pod: textOf(labels, "pod", "pod_name", "k8s_pod_name"),
    podUid: textOf(labels, "pod_uid", "k8s_pod_uid"),
    container: textOf(labels, "container", "container_name", "k8s_container_name"),
    stream: textOf(labels, "stream"),
    source: textOf(labels, "app", "job", "service_name", "filename"),
  });
}

/** Alloy names the container (`namespace/pod:container`) or its own component by `instance`; others the machine and the port that they ask there. */
function machineOf(labels: Record<string, string>): string | undefined {
  const instance = textOf(labels, "instance");
  return instance?.includes("/") || instance?.startsWith("loki.source.") ? undefined : instance;
}
