import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { receiveLoki } from "@/server/http/vendor/loki";
import { receiveOtlp } from "@/server/http/vendor/otlp";
import { HOST, type RealServer, realServer } from "../../http/real-services";
import { everything } from "../../support/deliveries";

/**
 * What Fluent Bit 5.1.1 sent of one pod's log file (three routine lines, two errors that the runtime had written in two pieces),
 * byte by byte, unpacked: `tail` with the multiline parser `cri` unless said otherwise, the `kubernetes` filter, then the output.
 */
const BODIES = {
  "http, json_lines, iso8601 under `time`": ["fluent-bit-datetime.body", "application/x-ndjson"],
  "http, json: one array": ["fluent-bit-json.body", "application/json"],
  "http, json_stream: nothing between the records": ["fluent-bit-json-stream.body", "application/json"],
  "parser cri: the line is `message`, pieces are marked": ["fluent-bit-criparser.body", "application/x-ndjson"],
  "no parser: the line is as the runtime wrote it": ["fluent-bit-noparser.body", "application/x-ndjson"],
  "Merge_Log On, Keep_Log Off: the line is merged into the record": ["fluent-bit-helm.body", "application/x-ndjson"],
  "loki: the record is the line": ["fluent-bit-loki.json", "application/json"],
  "opentelemetry: the record is attributes": ["fluent-bit-otel.pb", "application/x-protobuf"],
} as const;
type Body = (typeof BODIES)[keyof typeof BODIES];

let server: RealServer;
beforeEach(async () => {
  server = await realServer();
});

async function send([file, type]: Body): Promise<number> {
  const body = readFileSync(new URL(`fixtures/${file}`, import.meta.url));
  const headers = { "content-type": type, host: HOST };
  const at = (path: string) => new Request(`http://${HOST}${path}`, { method: "POST", body, headers });
  const open = async () => server.services;
  if (file.includes("loki")) return (await receiveLoki(at("/loki/api/v1/push"), open)).status;
  if (file.includes("otel")) return (await receiveOtlp(at("/otlp/v1/logs"), open)).status;
  return (await server.call("/ingest/auto?source=fluent-bit", { method: "POST", body, headers })).status;
}

const found = async () =>
  (await everything((page) => server.store.listIncidents({}, page))).map(
    ({ class: name, sandbox, node, run, keys }) => [name, sandbox, node, run, keys.length],
  );
const BOTH_ERRORS = [["pod.process_limit", "0f0f0f00-1111-2222-3333-444444444440", "node-0", "fb-run", 2]];

describe("Fluent Bit's own bytes", () => {
  test.each(Object.entries(BODIES))("%s", async (_, body) => {
    expect(await send(body)).toBeLessThan(300);
    expect(await found()).toEqual(BOTH_ERRORS);
    const [batch] = await everything((page) => server.store.batches({}, page));
    expect(batch).toMatchObject({ records: 5, routine: 3, observations: 2, rejected: 0 });
  });

  test("however a line came, it counts once", async () => {
    for (const body of Object.values(BODIES)) await send(body);
    expect(await found()).toEqual(BOTH_ERRORS);
  });
});

test("a list that holds another sender's records among them is read record by record", async () => {
  const [first] = JSON.parse(
    readFileSync(new URL("fixtures/fluent-bit-json.body", import.meta.url), "utf8"),
  ) as unknown[];
  const line =
    '{"level":"error","ts":"2026-11-30T09:00:49.750Z","msg":"CommandExecError: fork/exec /bin/sh: resource temporarily unavailable"}';
  const other = {
    message: line,
    timestamp: "2026-11-30T09:00:49.750Z",
    source_type: "kubernetes_logs",
    kubernetes: { pod_name: "p", pod_node_name: "n-9", pod_namespace: "s", pod_uid: "u-9", container_name: "sandbox" },
  };
  const body = JSON.stringify([first, other]);
  const answer = await server.call("/ingest/auto", { method: "POST", body, headers: { host: HOST } });
  expect(await answer.json()).toMatchObject({ records: 2, routine: 1, observations: 1 });
  expect(await found()).toMatchObject([["pod.process_limit", null, "n-9", null, 1]]);
});
