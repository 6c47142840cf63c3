/** Envelopes inside envelopes: a collector's record may hold a runtime's line as it stood on disk. */
import type { Payload } from "../format";
import { cri } from "./cri";
import { dockerJson } from "./docker-json";
import { ray } from "./ray";

const INNER = [cri, dockerJson, ray];

/** A year, docker's first key, a bracket (perhaps coloured): nothing else begins an inner envelope. */
const MAY_BEGIN = /^(?:\d{4}-|\{"log":"|\()/;
const ESCAPE = 27;

/** Takes inner envelopes off. The outer one knows who better; the inner one knows the record's own time and stream. */
export function unwrapInner(payload: Payload): Payload {
  if (!MAY_BEGIN.test(payload.text) && payload.text.charCodeAt(0) !== ESCAPE) return payload;
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
