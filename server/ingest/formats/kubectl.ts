/** Kubernetes objects as `kubectl get … -o json` prints them: a List, single objects, objects a line, or watch events around them. */
import type { Format, FormatContext, Payload, Sink } from "../format";
import { isObject, type JsonObject, jsonFault, objectOf, textOf, typeWord } from "./json-fields";
import { readBatchSandbox } from "./kube-batchsandbox";
import { readEvent } from "./kube-event";
import { readNode } from "./kube-node";
import { type KubeObject, pathOf, sampleOf } from "./kube-objects";
import { readPod } from "./kube-pod";

const KINDS = "List|PodList|EventList|NodeList|BatchSandboxList|Pod|Event|Node|BatchSandbox";
const KIND = new RegExp(`"kind"\\s*:\\s*"(?:${KINDS})"`);
const HEAD = 65_536;

const READERS: Record<string, (kube: KubeObject, sink: Sink, context: FormatContext) => void> = {
  Pod: readPod,
  Event: readEvent,
  Node: readNode,
  BatchSandbox: readBatchSandbox,
};

export const kubectl: Format = {
  name: "kubectl",
  title: "Kubernetes pods, events and nodes as printed by kubectl get -o json, whole or an object a line",
  unit: "document",
  archive: "none",
  accepts: looksKubernetes,
  read: readDocument,
};

function looksKubernetes(payload: Payload): boolean {
  if (payload.json === undefined) {
    const head = payload.text.length > HEAD ? payload.text.slice(0, HEAD) : payload.text;
    if (!/^\s*[{[]/.test(head) || !KIND.test(head)) return false;
    // A whole document is not parsed twice to find out; what is cut off must be rejected by name.
    if (payload.text.includes("\n") || payload.text.length > HEAD) return true;
  }
  const object = unwatch(objectOf(payload));
  return isObject(object) ? readerOf(object) !== undefined || Array.isArray(object.items) : payload.json === undefined;
}

function readDocument(payload: Payload, sink: Sink, context: FormatContext): void {
  let root: unknown;
  try {
    root = payload.json ?? JSON.parse(payload.text);
  } catch {
    const { code, message } = jsonFault(payload.text);
    sink.reject(payload.line, code, message, payload.text.slice(0, 500));
    return;
  }
  const roots = Array.isArray(root) ? root : [root];
  roots.forEach((one, i) => {
    readRoot(one, roots.length > 1 ? `[${i}]` : "", payload, sink, context);
  });
}

function readRoot(root: unknown, where: string, payload: Payload, sink: Sink, context: FormatContext): void {
  const deleted = isObject(root) && root.type === "DELETED";
  const object = unwatch(root);
  if (isObject(object) && Array.isArray(object.items)) {
    const kind = textOf(object, "kind")?.replace(/List$/, "");
    object.items.forEach((item: unknown, i) => {
      // A typed list leaves its items' kinds out.
      const typed = isObject(item) && item.kind === undefined && kind ? { ...item, kind } : item;
      readOne(typed, { where: `${where}items[${i}]`, payload, deleted }, sink, context);
    });
  } else {
    readOne(object, { where, payload, deleted }, sink, context);
  }
}

function readOne(object: unknown, at: Omit<KubeObject, "object">, sink: Sink, context: FormatContext): void {
  const { payload, where } = at;
  if (!isObject(object)) {
    sink.reject(payload.line, "invalid_type", `${where || "document"} must be an object, got ${typeWord(object)}`, "");
    return;
  }
  const read = readerOf(object);
  const metadata = object.metadata;
  if (!isObject(metadata) || textOf(metadata, "name") === undefined) {
    sink.reject(payload.line, "missing_field", `${pathOf(where, "metadata.name")} must be a string`, sampleOf(object));
    return;
  }
  read?.({ ...at, object }, sink, context);
}

/** The object inside a watch event, or an event router's `event` beside its verb, or the value itself. */
function unwatch(value: unknown): unknown {
  if (isObject(value) && isObject(value.event) && typeof value.verb === "string") return value.event;
  return isObject(value) && isObject(value.object) && typeof value.type === "string" && value.kind === undefined
    ? value.object
    : value;
}

/** Event exporters leave the kind out; what an event is about gives it away. */
function readerOf(object: JsonObject): ((kube: KubeObject, sink: Sink, context: FormatContext) => void) | undefined {
  const kind = textOf(object, "kind") ?? (isObject(object.involvedObject) ? "Event" : undefined);
  return kind === undefined ? undefined : READERS[kind];
}
