/** Kubernetes events as Alloy's and the Grafana Agent's event source writes them, an event a line, in logfmt or JSON. */
import type { Format, Payload } from "../format";
import { type JsonObject, numberOf, objectOf, textOf } from "./json-fields";
import { readEvent } from "./kube-event";

const LOGFMT = /^name=\S+ kind=\S+ .*\breason=\S+ .*\bmsg=/s;
const JSON_LINE = /^\s*\{"name":".*"reason":".*"msg":/s;
const PAIR = /(?<=^|\s)(\w+)=("(?:[^"\\]|\\.)*"|\S*)/g;

export const eventLines: Format = {
  name: "event-lines",
  title: "Kubernetes events as Alloy writes them, an event a line",
  unit: "line",
  accepts: (payload) => fieldsOf(payload) !== null,
  read(payload, sink, context) {
    const fields = fieldsOf(payload);
    if (fields) readEvent({ object: eventOf(fields, payload), payload, where: "", deleted: false }, sink, context);
  },
};

/** Null for what is no such line. */
function fieldsOf(payload: Payload): JsonObject | null {
  if (payload.who.container === "sandbox") return null;
  if (LOGFMT.test(payload.text)) return ofLogfmt(payload.text);
  if (!JSON_LINE.test(payload.text)) return null;
  const fields = objectOf(payload);
  return fields && textOf(fields, "kind") && textOf(fields, "reason") ? fields : null;
}

function ofLogfmt(text: string): JsonObject {
  const fields: JsonObject = {};
  for (const [, name, value = ""] of text.matchAll(PAIR))
    if (name) fields[name] = name === "count" ? Number(value) : unquoted(value);
  return fields;
}

/** As the API has it. Its time and its namespace are the line's and the stream's. */
function eventOf(fields: JsonObject, { at, who }: Payload): JsonObject {
  const [kind, name, reason] = ["kind", "name", "reason"].map((field) => textOf(fields, field) ?? "");
  const namespace = who.namespace === undefined ? {} : { namespace: who.namespace };
  const message = textOf(fields, "msg") ?? "";
  const count = numberOf(fields, "count");
  const time = at === null ? {} : { lastTimestamp: new Date(at).toISOString() };
  return {
    // Without a UID: seen again it says the same of the same, with a higher count.
    metadata: { name: `${kind}/${name}.${reason}.${message}`, ...namespace },
    involvedObject: { kind, name, ...namespace },
    ...{ reason, message, type: textOf(fields, "type") ?? "Normal" },
    ...(count !== undefined && count > 0 ? { count } : {}),
    source: { component: textOf(fields, "sourcecomponent"), host: textOf(fields, "sourcehost") },
    reportingComponent: textOf(fields, "reportingcontroller"),
    reportingInstance: textOf(fields, "reportinginstance"),
    ...time,
  };
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.slice(1, -1).replace(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char === "t" ? "\t" : char));
}
