/** A collector that sends on through another's protocol: its whole record, as JSON, is then the line. */
import type { Payload } from "../format";
import { elastic } from "./elastic";
import { fluentBit } from "./fluent-bit";
import { journal } from "./journal";
import { vector } from "./vector";

/** Takes a collector's record off that is the text of a payload. The record knows the pod; the protocol around it may know more. */
export function unwrapRecord(payload: Payload): Payload {
  if (!payload.text.startsWith('{"')) return payload;
  for (const envelope of [elastic, journal, fluentBit, vector]) {
    const inner = envelope.open(payload.text, payload.line);
    const found = inner && "payloads" in inner ? inner.payloads[0] : undefined;
    if (found)
      return {
        ...payload,
        json: undefined,
        ...found,
        at: found.at ?? payload.at,
        who: { ...payload.who, ...found.who },
      };
  }
  return payload;
}
