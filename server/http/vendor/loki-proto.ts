/** Loki's push request as snappy-compressed protobuf ⇄ the same request as JSON. Field numbers are the protocol's (logproto). */
import protobuf from "protobufjs";
import { compress, uncompress } from "snappyjs";

const SCHEMA = `
syntax = "proto3";
message Timestamp { int64 seconds = 1; int32 nanos = 2; }
message LabelPair { string name = 1; string value = 2; }
message Entry { Timestamp timestamp = 1; string line = 2; repeated LabelPair structuredMetadata = 3; }
message Stream { string labels = 1; repeated Entry entries = 2; uint64 hash = 3; }
message PushRequest { repeated Stream streams = 1; }
`;

const PUSH = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType("PushRequest");

interface Push {
  streams?: {
    labels?: string;
    entries?: {
      timestamp?: { seconds?: string; nanos?: number };
      line?: string;
      structuredMetadata?: { name?: string; value?: string }[];
    }[];
  }[];
}

export interface LokiJson {
  streams: { stream: Record<string, string>; values: [string, string][] }[];
}

/** `maxBytes` bounds what the compressed body may grow into. Throws on bytes that are no such request. */
export function decodeLoki(body: Uint8Array, maxBytes: number): LokiJson {
  const push = PUSH.toObject(PUSH.decode(uncompress(body, maxBytes)), { longs: String }) as Push;
  const streams: LokiJson["streams"] = [];
  for (const stream of push.streams ?? []) {
    const labels = parseLabels(stream.labels ?? "");
    // Structured metadata is an entry's own: entries with the same set are one stream.
    const bySet = new Map<string, LokiJson["streams"][number]>();
    for (const entry of stream.entries ?? []) {
      const own = Object.fromEntries(
        (entry.structuredMetadata ?? []).map((pair) => [pair.name ?? "", pair.value ?? ""]),
      );
      const key = JSON.stringify(own);
      const made = bySet.get(key) ?? { stream: { ...labels, ...own }, values: [] };
      if (!bySet.has(key)) streams.push(made);
      bySet.set(key, made);
      made.values.push([nanoseconds(entry.timestamp), entry.line ?? ""]);
    }
  }
  return { streams };
}

export function encodeLoki(
  streams: {
    labels: string;
    entries: { seconds: number; nanos: number; line: string; metadata?: Record<string, string> }[];
  }[],
): Uint8Array {
  const request = {
    streams: streams.map((stream) => ({
      labels: stream.labels,
      entries: stream.entries.map((entry) => ({
        timestamp: { seconds: entry.seconds, nanos: entry.nanos },
        line: entry.line,
        structuredMetadata: Object.entries(entry.metadata ?? {}).map(([name, value]) => ({ name, value })),
      })),
    })),
  };
  return compress(PUSH.encode(PUSH.fromObject(request)).finish());
}

function nanoseconds(timestamp: { seconds?: string; nanos?: number } | undefined): string {
  return String(BigInt(timestamp?.seconds ?? 0) * 1_000_000_000n + BigInt(timestamp?.nanos ?? 0));
}

/** `{pod="a", note="say \"hi\""}` as Prometheus writes label sets: values quoted as Go quotes them, names too where they are no words. */
export function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, quoted, word, value] of text.matchAll(LABEL)) {
    const name = word ?? unquoted(quoted ?? "");
    if (value !== undefined) labels[name] = unquoted(value);
  }
  return labels;
}

const LABEL = /(?:"((?:[^"\\]|\\.)*)"|([a-zA-Z_][a-zA-Z0-9_]*))\s*=\s*"((?:[^"\\]|\\.)*)"/g;
const ESCAPED = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g;
const CONTROL: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };

function unquoted(text: string): string {
  return text.replace(ESCAPED, (whole, two?: string, four?: string, eight?: string, one?: string) => {
    if (one !== undefined) return CONTROL[one] ?? one;
    const code = Number.parseInt(two ?? four ?? eight ?? "", 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
