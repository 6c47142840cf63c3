import { readFileSync } from "node:fs";
import { deflateSync, gzipSync } from "node:zlib";
import { compress } from "snappyjs";
import { beforeEach, describe, expect, test } from "vitest";
import { zstd } from "@/server/archive/zstd";
import { receiveLoki } from "@/server/http/vendor/loki";
import { encodeLoki, parseLabels } from "@/server/http/vendor/loki-proto";
import { receiveOtlp } from "@/server/http/vendor/otlp";
import { decodeOtlpAnswer, encodeOtlp } from "@/server/http/vendor/otlp-proto";
import { HOST, type RealServer, realServer } from "../../http/real-services";
import { everything } from "../../support/deliveries";

/**
 * One pod's log file (three routine lines, two errors) as these collectors write it, by their own sources and documentation:
 * OpenTelemetry Collector 0.159 (`file_log` with the operator `container`, `k8s_attributes`, `otlp_http`), Vector 0.58
 * (`kubernetes_logs` into `http` and into `loki`), Alloy 1.18 (`loki.source.kubernetes` into `loki.write`), promtail (ended with 3.x).
 */
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

interface Push {
  streams: { stream: Record<string, string>; values: [string, string, Record<string, string>?][] }[];
}

/** The same push as protobuf, labels as Prometheus writes them, compressed as all of Loki's senders do. */
function lokiProtobuf(name: string): Buffer {
  const { streams } = JSON.parse(fixture(name).toString()) as Push;
  const made = streams.map(({ stream, values }) => ({
    labels: `{${Object.entries(stream).map(([label, value]) => `${label}=${JSON.stringify(value)}`)}}`,
    entries: values.map(([at, line, metadata]) => ({
      seconds: Number(BigInt(at) / 1_000_000_000n),
      nanos: Number(BigInt(at) % 1_000_000_000n),
      line,
      ...(metadata ? { metadata } : {}),
    })),
  }));
  return Buffer.from(encodeLoki(made));
}

const otlp = () => fixture("otel-collector.json");
const otlpProtobuf = () => Buffer.from(encodeOtlp(JSON.parse(otlp().toString()) as object));
const PROTOBUF = "application/x-protobuf";
type Sent = [to: "otlp" | "loki" | "auto", type: string, encoding: string, body: () => Uint8Array];
const SENT: Record<string, Sent> = {
  "OTel Collector, encoding json, compression none": ["otlp", "application/json", "", otlp],
  "OTel Collector, encoding json, gzip": ["otlp", "application/json", "gzip", () => gzipSync(otlp())],
  "OTel Collector, proto, gzip: as it comes": ["otlp", PROTOBUF, "gzip", () => gzipSync(otlpProtobuf())],
  "OTel Collector, proto, zstd": ["otlp", PROTOBUF, "zstd", () => zstd(otlpProtobuf())],
  "OTel Collector, proto, zlib": ["otlp", PROTOBUF, "zlib", () => deflateSync(otlpProtobuf())],
  "OTel Collector, proto, snappy": ["otlp", PROTOBUF, "snappy", () => compress(otlpProtobuf())],
  "Vector, http, newline_delimited, gzip": ["auto", "application/x-ndjson", "gzip", () => gzipSync(vectorLines())],
  "Vector, http, its usual framing: one array": ["auto", "application/json", "", () => vectorArray()],
  "Vector, http, zstd": ["auto", "application/x-ndjson", "zstd", () => zstd(vectorLines())],
  "Vector, loki, snappy: as it comes": ["loki", PROTOBUF, "snappy", () => lokiProtobuf("vector-loki.json")],
  "Vector, loki, gzip": ["loki", "application/json", "gzip", () => gzipSync(fixture("vector-loki.json"))],
  Alloy: ["loki", PROTOBUF, "snappy", () => lokiProtobuf("alloy.json")],
  "Alloy, the UID as structured metadata": ["loki", PROTOBUF, "snappy", () => lokiProtobuf("alloy-metadata.json")],
  "promtail, which names no encoding": ["loki", PROTOBUF, "", () => lokiProtobuf("promtail.json")],
};
const vectorLines = () => fixture("vector-http.body");
const vectorArray = () => Buffer.from(`[${vectorLines().toString().trimEnd().split("\n").join(",")}]`);

let server: RealServer;
beforeEach(async () => {
  server = await realServer();
});

function send([to, type, encoding, body]: Sent): Promise<Response> {
  const headers = { "content-type": type, host: HOST, ...(encoding ? { "content-encoding": encoding } : {}) };
  const init = { method: "POST", body: Buffer.from(body()), headers };
  const open = async () => server.services;
  if (to === "otlp") return receiveOtlp(new Request(`http://${HOST}/otlp/v1/logs`, init), open);
  if (to === "loki") return receiveLoki(new Request(`http://${HOST}/loki/api/v1/push`, init), open);
  return server.call("/ingest/auto?source=collector", init);
}

const found = async () =>
  (await everything((page) => server.store.listIncidents({}, page))).map(
    ({ class: name, sandbox, node, run, keys }) => [name, sandbox, node, run, keys.length],
  );
const BOTH_ERRORS = [["pod.process_limit", "0f0f0f00-1111-2222-3333-444444444440", "node-0", "fb-run", 2]];

describe("collectors' requests", () => {
  test.each(Object.entries(SENT))("%s", async (_, sent) => {
    expect((await send(sent)).status).toBe(sent[0] === "loki" ? 204 : 200);
    expect(await found()).toEqual(BOTH_ERRORS);
    const [batch] = await everything((page) => server.store.batches({}, page));
    expect(batch).toMatchObject({ records: 5, routine: 3, observations: 2, rejected: 0 });
  });

  test("whichever of them send a line, also those that send no UID or no stream, it counts once", async () => {
    for (const sent of Object.values(SENT)) await send(sent);
    expect(await found()).toEqual(BOTH_ERRORS);
  });
});

test("labels are read as Prometheus and Go quote them, names of any kind too", () => {
  const text = '{"k8s.pod.name"="p", note="tab\\t quote\\" \\u00e9 \\x41 \\U0001f600 back\\\\n"}';
  expect(parseLabels(text)).toEqual({ "k8s.pod.name": "p", note: 'tab\t quote" é A 😀 back\\n' });
});

test("what Alloy calls an instance is no machine", async () => {
  const { streams } = JSON.parse(fixture("alloy.json").toString()) as Push;
  for (const { stream } of streams) delete stream.node;
  await send(["loki", "application/json", "", () => Buffer.from(JSON.stringify({ streams }))]);
  expect((await found()).map(([, sandbox, node]) => [sandbox, node])).toEqual([[BOTH_ERRORS[0]?.[1], null]]);
});

describe("answers, by which a collector decides what to send again", () => {
  test("a record that cannot be read is told as a partial success, and the rest is kept", async () => {
    const request = JSON.parse(otlp().toString().replaceAll('"stringValue":"sandbox"', '"stringValue":"envoy"')) as {
      resourceLogs: { scopeLogs: { logRecords: { body: object }[] }[] }[];
    };
    const [first] = request.resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
    if (first) first.body = { stringValue: '{"start_time":"-","response_code":"?","response_flags":"-"}' };
    const json = await send(["otlp", "application/json", "", () => Buffer.from(JSON.stringify(request))]);
    const told = { partialSuccess: { rejectedLogRecords: "1", errorMessage: expect.stringMatching(/./) } };
    expect([json.status, await json.json()]).toEqual([200, told]);
    const binary = await send(["otlp", PROTOBUF, "", () => encodeOtlp(request)]);
    expect(binary.headers.get("content-type")).toBe(PROTOBUF);
    expect(decodeOtlpAnswer(new Uint8Array(await binary.arrayBuffer()))).toEqual(told);
    expect(await found()).toEqual(BOTH_ERRORS);
  });

  test.each([
    ["lz4", 415],
    ["constructor", 415],
    ["zstd", 400],
    ["snappy", 400],
  ])("%s that cannot be read is refused for good", async (encoding, status) => {
    const answer = await send(["otlp", PROTOBUF, encoding, () => Buffer.from("no such thing")]);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, PROTOBUF]);
  });
});
