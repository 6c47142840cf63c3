import { deflateSync, gzipSync } from "node:zlib";
import { compress } from "snappyjs";
import { beforeEach, describe, expect, test } from "vitest";
import { zstd } from "@/server/archive/zstd";
import { receiveLoki } from "@/server/http/vendor/loki";
import { encodeLoki, parseLabels } from "@/server/http/vendor/loki-proto";
import { receiveOtlp } from "@/server/http/vendor/otlp";
import { decodeOtlp, decodeOtlpAnswer, encodeOtlp } from "@/server/http/vendor/otlp-proto";
import { everything } from "../support/deliveries";
import { snappyFrames } from "../support/snappy-frames";
import { bearer, HOST, type RealServer, realServer, TOKENS } from "./real-services";

const AT = Date.parse("2026-10-06T12:00:00Z");
const LINE =
  '{"level":"error","ts":"2026-10-06T12:00:00.000Z","msg":"CommandExecError: error starting commands: fork/exec /bin/bash: resource temporarily unavailable"}';

let server: RealServer;
beforeEach(async () => {
  server = await realServer();
});

function post(
  receive: typeof receiveOtlp,
  body: BodyInit,
  headers: Record<string, string>,
  on = server,
): Promise<Response> {
  const request = new Request(`http://${HOST}/x`, { method: "POST", body, headers: { host: HOST, ...headers } });
  return receive(request, async () => on.services);
}

const incidents = async () =>
  (await everything((page) => server.store.listIncidents({}, page))).map((i) => [i.class, i.node, i.run, i.sandbox]);

const text = (value: string) => ({ stringValue: value });
const attribute = (key: string, value: string) => ({ key, value: text(value) });
const EXPORT = {
  resourceLogs: [
    {
      resource: {
        attributes: [
          attribute("k8s.node.name", "n-1"),
          attribute("k8s.pod.name", "sbx-1-0"),
          attribute("k8s.namespace.name", "opensandbox"),
          attribute("k8s.pod.uid", "8eb38dc5-9725-493f-921e-84f871c93966"),
          attribute("k8s.container.name", "sandbox"),
          attribute("k8s.pod.labels.opensandbox.io/id", "s-1"),
        ],
      },
      scopeLogs: [{ logRecords: [{ timeUnixNano: `${AT}000000`, body: text(LINE) }] }],
    },
  ],
};

describe("OTLP logs", () => {
  const proto = { "content-type": "application/x-protobuf" };

  test("protobuf and JSON are the same record, whichever came first, and each is answered in its own encoding", async () => {
    const binary = await post(receiveOtlp, Buffer.from(encodeOtlp(EXPORT)), proto);
    expect([binary.status, binary.headers.get("content-type")]).toEqual([200, "application/x-protobuf"]);
    expect(decodeOtlpAnswer(new Uint8Array(await binary.arrayBuffer()))).toEqual({});
    const json = await post(receiveOtlp, JSON.stringify(EXPORT), { "content-type": "application/json" });
    expect([json.status, await json.json()]).toEqual([200, {}]);
    expect(await incidents()).toEqual([["pod.process_limit", "n-1", null, "s-1"]]);
  });

  test("a gzipped body is read, and headers name run and source", async () => {
    const answer = await post(receiveOtlp, gzipSync(encodeOtlp(EXPORT)), {
      ...proto,
      "content-encoding": "gzip",
      "x-coalmine-run": "eval-7",
    });
    expect(answer.status).toBe(200);
    expect((await incidents())[0]?.[2]).toBe("eval-7");
  });

  test("every compression of the OTel Collector is read but lz4, which is refused with the names of the others", async () => {
    const body = Buffer.from(encodeOtlp(EXPORT));
    const packed = {
      zlib: deflateSync(body),
      deflate: deflateSync(body),
      zstd: zstd(body),
      snappy: compress(body),
      "x-snappy-framed": snappyFrames(body, 400),
    };
    for (const [encoding, bytes] of Object.entries(packed)) {
      const on = await realServer();
      const answer = await post(
        receiveOtlp,
        bytes as Buffer<ArrayBuffer>,
        { ...proto, "content-encoding": encoding },
        on,
      );
      expect([encoding, answer.status]).toEqual([encoding, 200]);
      expect((await on.store.batches({}, { limit: 10, cursor: null })).items[0]?.observations).toBe(1);
    }
    const json = { "content-type": "application/json", "content-encoding": "lz4" };
    for (const receive of [receiveOtlp, receiveLoki]) {
      const refused = await post(receive, "x", json);
      expect(refused.status).toBe(415);
      expect(await refused.text()).toMatch(/lz4.*gzip.*zstd.*snappy/);
    }
  });

  test("what is no request is refused as the sender's encoding has it", async () => {
    const binary = await post(receiveOtlp, Buffer.from([0xff, 0xff, 0xff]), proto);
    expect([binary.status, binary.headers.get("content-type")]).toEqual([400, "application/x-protobuf"]);
    const json = await post(receiveOtlp, "{", { "content-type": "application/json" });
    expect([json.status, (await json.json()).code]).toEqual([400, 3]);
    expect((await post(receiveOtlp, "x", { "content-type": "text/plain" })).status).toBe(415);
  });

  test("an empty request is a success that stores nothing", async () => {
    expect((await post(receiveOtlp, new Uint8Array(), proto)).status).toBe(200);
    expect((await server.store.batches({}, { limit: 10, cursor: null })).items).toEqual([]);
  });

  test("64-bit times and integers survive the way through protobuf", () => {
    const [resource] = (decodeOtlp(encodeOtlp(EXPORT)) as typeof EXPORT).resourceLogs;
    expect(resource?.scopeLogs[0]?.logRecords[0]?.timeUnixNano).toBe(`${AT}000000`);
  });
});

describe("Loki push", () => {
  const labels = '{node="n-2", pod="sbx-2-0", namespace="opensandbox", container="sandbox"}';
  const push = () =>
    Buffer.from(
      encodeLoki([
        {
          labels,
          entries: [
            {
              seconds: AT / 1000,
              nanos: 0,
              line: LINE,
              metadata: { opensandbox_io_id: "s-2", nemo_gym_nvidia_com_run: "eval-9" },
            },
          ],
        },
      ]),
    );

  test("snappy protobuf goes in, is answered 204, and the same again changes nothing", async () => {
    const headers = { "content-type": "application/x-protobuf", "content-encoding": "snappy" };
    expect((await post(receiveLoki, push(), headers)).status).toBe(204);
    expect((await post(receiveLoki, push(), headers)).status).toBe(204);
    expect(await incidents()).toEqual([["pod.process_limit", "n-2", "eval-9", "s-2"]]);
  });

  test("JSON goes in as well", async () => {
    const body = JSON.stringify({
      streams: [{ stream: { node: "n-3", pod: "sbx-3-0", container: "sandbox" }, values: [[`${AT}000000`, LINE]] }],
    });
    expect((await post(receiveLoki, body, { "content-type": "application/json" })).status).toBe(204);
    expect((await incidents())[0]?.[1]).toBe("n-3");
  });

  test("what cannot be unpacked is 400 in plain text", async () => {
    const answer = await post(receiveLoki, Buffer.from("nonsense"), { "content-type": "application/x-protobuf" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "text/plain; charset=utf-8"]);
  });

  test("label sets are read as Prometheus writes them", () => {
    expect(parseLabels('{a="1", b="say \\"hi\\", {x}"}')).toEqual({ a: "1", b: 'say "hi", {x}' });
  });
});

test("with tokens both need one that may send", async () => {
  const guarded = await realServer({ tokens: TOKENS });
  const json = { "content-type": "application/json" };
  expect((await post(receiveOtlp, JSON.stringify(EXPORT), json, guarded)).status).toBe(401);
  expect((await post(receiveOtlp, JSON.stringify(EXPORT), { ...json, ...bearer("viewer") }, guarded)).status).toBe(403);
  expect((await post(receiveOtlp, JSON.stringify(EXPORT), { ...json, ...bearer("ingest") }, guarded)).status).toBe(200);
});
