import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cri } from "@/server/ingest/envelopes/cri";
import { dockerJson } from "@/server/ingest/envelopes/docker-json";
import { fluentBit } from "@/server/ingest/envelopes/fluent-bit";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { ray } from "@/server/ingest/envelopes/ray";
import type { Envelope } from "@/server/ingest/format";

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");

function openAll(envelope: Envelope, name: string) {
  return fixture(name)
    .trimEnd()
    .split("\n")
    .map((line, i) => envelope.open(line, i + 1));
}
const payloads = (envelope: Envelope, name: string) =>
  openAll(envelope, name).flatMap((opened) => (opened && "payloads" in opened ? opened.payloads : []));

describe("cri", () => {
  it("marks pieces, keeps streams apart and reads zones", () => {
    expect(payloads(cri, "cri/pieces.log")).toMatchObject([
      {
        who: { stream: "stdout" },
        at: Date.UTC(2026, 2, 1, 10, 0, 0, 123),
        time: expect.stringContaining("10:00:00.123"),
        text: '{"level":"info","msg":"first ',
        line: 1,
        partial: true,
      },
      { who: { stream: "stderr" }, at: Date.UTC(2026, 2, 1, 10, 0, 0, 123), text: "other stream", line: 2 },
      { who: { stream: "stdout" }, at: Date.UTC(2026, 2, 1, 10, 0, 0, 200), text: 'half"}', line: 3 },
      { who: { stream: "stdout" }, at: Date.UTC(2026, 2, 1, 10, 0, 1), text: "", line: 4 },
    ]);
  });
});

describe("fluent-bit", () => {
  it("reads who and when, also from an inner envelope, and passes on what the collector parsed", () => {
    const [piece, inner, parsed] = payloads(fluentBit, "fluent-bit/records.jsonl");
    expect(piece).toMatchObject({
      at: 1772359200250,
      partial: true,
      text: "a piece",
      who: {
        node: "node-1",
        namespace: "opensandbox",
        pod: "3f0c8a52-0",
        podUid: "u-1",
        container: "sandbox",
        sandbox: "3f0c8a52",
        run: "run-a",
        stream: "stderr",
      },
    });
    expect(inner).toMatchObject({
      at: Date.UTC(2026, 2, 1, 10, 0, 0, 100),
      text: "inner text",
      who: { node: "node-2", stream: "stdout" },
    });
    expect(parsed?.json).toEqual({ level: "error", msg: "whole" });
  });

  it("rejects a torn record and says why", () => {
    expect(openAll(fluentBit, "fluent-bit/records.jsonl").at(-1)).toMatchObject({ reject: { code: "incomplete" } });
  });

  it("lets a doubled kubernetes key pass", () => {
    const line = '{"date":1,"log":"x","kubernetes":{"host":"a"},"kubernetes":{"host":"b"}}';
    expect(fluentBit.open(line, 1)).toMatchObject({ payloads: [{ who: { node: "b" } }] });
  });
});

describe("docker-json", () => {
  it("takes a log without its newline as a piece and a torn record as a reject", () => {
    const opened = openAll(dockerJson, "docker-json/halves.log");
    expect(opened[0]).toMatchObject({ payloads: [{ text: "first half ", partial: true }] });
    expect(opened[1]).toMatchObject({ payloads: [{ text: "second half", who: { stream: "stderr" } }] });
    expect(opened[2]).toMatchObject({ reject: { code: "incomplete" } });
  });
});

describe("ray", () => {
  it("makes each process its own source", () => {
    const opened = openAll(ray, "ray/prefixes.log");
    expect(opened[0]).toMatchObject({
      payloads: [{ text: "hello", who: { source: "worker pid=1101 ip=10.2.3.4", node: "10.2.3.4" } }],
    });
    expect(opened[1]).toMatchObject({ payloads: [{ text: "served", who: { source: "policy_model" } }] });
    expect(opened[2]).toBeNull();
  });
});

describe("all envelopes", () => {
  it.each([
    ["cri/pieces.log", "cri"],
    ["fluent-bit/records.jsonl", "fluent-bit"],
    ["docker-json/halves.log", "docker-json"],
    ["ray/prefixes.log", "ray"],
  ])("are told apart by a body's head: %s", (name, expected) => {
    const head = fixture(name);
    const sure = [...ENVELOPES].sort((a, b) => b.detect(head) - a.detect(head));
    expect(sure[0]?.name).toBe(expected);
  });

  it("never throw, whatever the line", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"log":"x","kubernetes":${json},"date":${json}}`),
        ),
        (line) => {
          for (const envelope of ENVELOPES) envelope.open(line, 1);
        },
      ),
    );
  });
});
