import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kubectlPrefix } from "@/server/ingest/envelopes/kubectl-prefix";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { lokiJson } from "@/server/ingest/envelopes/loki-json";
import { otlpJson } from "@/server/ingest/envelopes/otlp-json";
import { syslog } from "@/server/ingest/envelopes/syslog";
import { vector } from "@/server/ingest/envelopes/vector";
import type { Envelope } from "@/server/ingest/format";

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8").trimEnd();
const CLOCK = { tz: null, receivedAt: Date.UTC(2027, 0, 2) };

function payloads(envelope: Envelope, texts: string[]) {
  return texts.flatMap((text, i) => {
    const opened = envelope.open(text, i + 1, CLOCK);
    return opened && "payloads" in opened ? opened.payloads : [];
  });
}

describe("otlp-json", () => {
  const [plain, object, event] = payloads(otlpJson, [fixture("otlp-json/export.json")]);

  it("reads resource attributes as who, and severity", () => {
    expect(plain).toMatchObject({
      text: "boom",
      level: "error",
      at: 1791200000000,
      who: { node: "n-1", pod: "harness-1", sandbox: "sb-1" },
    });
  });

  it("turns tagged values into plain ones, and takes a time of 0 for none", () => {
    expect(object).toMatchObject({ json: { type: "ADDED", n: 9 }, at: null, level: "warn" });
  });

  it("puts an event that a receiver flattened together again", () => {
    expect(event?.json).toMatchObject({
      kind: "Event",
      metadata: { uid: "u-1" },
      involvedObject: { kind: "Pod", name: "p" },
      reason: "Failed",
      count: 2,
      source: { host: "n-2" },
    });
  });

  it("says that a cut document is incomplete", () => {
    expect(otlpJson.open('{"resourceLogs":[{', 1)).toMatchObject({ reject: { code: "incomplete" } });
  });
});

describe("loki-json", () => {
  it("reads streams of labels, and a runtime's line inside", () => {
    expect(payloads(lokiJson, [fixture("loki-json/push.json")])).toMatchObject([
      { text: "first", at: 1791200000000, who: { namespace: "ns", pod: "p", container: "c", node: "n-1" } },
      { text: "inner", at: Date.UTC(2026, 9, 5, 11, 33, 20), who: { stream: "stdout", pod: "p" } },
    ]);
  });
});

describe("vector", () => {
  it("reads its own names for pod, node and labels", () => {
    expect(payloads(vector, fixture("vector/records.jsonl").split("\n"))).toMatchObject([
      {
        text: "hello",
        at: Date.UTC(2026, 2, 1, 10, 0, 0, 500),
        who: { node: "n-1", podUid: "u-1", podIp: "10.0.0.1", sandbox: "sb-1", container: "sandbox" },
      },
    ]);
  });
});

describe("syslog", () => {
  const read = payloads(syslog, fixture("syslog/journal.log").split("\n"));

  it("dates lines without a year by the time nearest to receipt, across New Year", () => {
    expect(read.map((one) => one.at)).toEqual([
      Date.UTC(2026, 11, 31, 23, 59, 56),
      Date.UTC(2027, 0, 1, 0, 4, 57),
      Date.UTC(2026, 2, 1, 9),
      Date.UTC(2027, 0, 1, 0, 59, 22),
    ]);
    expect(syslog.open("Jan 01 00:00:00 h p: x", 1)).toMatchObject({ payloads: [{ at: null }] });
  });

  it("takes the host for the machine, except of programs that write about other machines", () => {
    expect(read.map((one) => one.who.node)).toEqual(["n-7", undefined, "n-8", "agent-web"]);
    expect(read.map((one) => one.text)).toEqual(["I1231 hello", "hi", "oom", "  }"]);
  });
});

describe("kubectl-prefix", () => {
  it("reads pod and container in front of a line, and a time alone", () => {
    expect(payloads(kubectlPrefix, fixture("kubectl-prefix/logs.txt").split("\n"))).toMatchObject([
      { text: "one", at: Date.UTC(2026, 2, 1, 10, 0, 0, 123), who: { pod: "sb-1-0", container: "sandbox" } },
      { text: "two", at: null, who: { container: "egress" } },
      { text: "three", at: Date.UTC(2026, 2, 1, 10, 0, 0, 123), who: {} },
    ]);
  });
});

describe("collectors' envelopes", () => {
  it.each([
    ["otlp-json/export.json", "otlp-json"],
    ["loki-json/push.json", "loki-json"],
    ["vector/records.jsonl", "vector"],
    ["syslog/journal.log", "syslog"],
    ["kubectl-prefix/logs.txt", "kubectl-prefix"],
  ])("are told apart by a body's head: %s", (name, expected) => {
    const head = fixture(name);
    expect([...ENVELOPES].sort((a, b) => b.detect(head) - a.detect(head))[0]?.name).toBe(expected);
  });
});
