/** Envelopes inside envelopes: a collector's record may hold a runtime's line as it stood on disk. */
import type { Payload } from "../format";
import { cri } from "./cri";
import { dockerJson } from "./docker-json";
import { ray } from "./ray";

const INNER = [cri, dockerJson, ray];

/** Takes inner envelopes off. The outer one knows who better; the inner one knows the record's own time and stream. */
export function unwrapInner(payload: Payload): Payload {
  for (const envelope of INNER) {
    const inner = envelope.open(payload.text, payload.line);
    const found = inner && "payloads" in inner ? inner.payloads[0] : undefined;
    if (!found) continue;
    const source = found.who.source ?? payload.who.source;
    const merged: Payload = { ...payload, ...found, at: found.at ?? payload.at, who: { ...found.who, ...payload.who } };
    if (source) merged.who.source = source;
    if (payload.json !== undefined && found.text === payload.text) merged.json = payload.json;
    return unwrapInner(merged);
  }
  return payload;
}
