/** CloudWatch Logs: subscriptions (`logEvents`) and answers of `filter-log-events` (`events`); what a shipper sent is each event's message. */
import type { Envelope, Payload } from "../format";
import { isObject, type JsonObject, jsonFault, objectsOf, textOf } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { unwrapRecord } from "./collector-record";
import { unwrapInner } from "./nested";

const UTC = { tz: "+00:00", receivedAt: 0 };
const LOOKS =
  /^\s*\{(?=.*"(?:logEvents|events)"\s*:\s*\[\s*\{)(?=.*"message"\s*:)(?=.*"(?:ingestionTime|logGroup|logStreamName|eventId)"\s*:)/s;

export const cloudwatch: Envelope = {
  name: "cloudwatch",
  detect: (head) => (LOOKS.test(head) ? 1 : 0),
  open(text, lineNumber) {
    if (!LOOKS.test(text)) return null;
    let root: unknown;
    try {
      root = JSON.parse(text);
    } catch {
      return { reject: jsonFault(text) };
    }
    if (!isObject(root)) return null;
    const events = [...objectsOf(root, "logEvents"), ...objectsOf(root, "events")];
    return { payloads: events.flatMap((event) => payloadOf(event, root, lineNumber) ?? []) };
  },
};

function payloadOf(event: JsonObject, root: JsonObject, line: number): Payload | null {
  const text = textOf(event, "message")?.replace(/\r?\n$/, "");
  if (text === undefined) return null;
  const source = textOf(event, "logStreamName") ?? textOf(root, "logStream");
  const at = timeOf(event.timestamp, UTC)?.at ?? null;
  return unwrapInner(unwrapRecord({ who: source ? { source } : {}, at, text, line }));
}
