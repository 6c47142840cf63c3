import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { alb } from "@/server/ingest/formats/alb";
import { envoy } from "@/server/ingest/formats/envoy";
import { nginx } from "@/server/ingest/formats/nginx";
import { everything, openMemory, send } from "../../support/deliveries";
import { readLines } from "../../support/recording-sink";

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");

describe("nginx", () => {
  const sink = readLines(nginx, fixture("nginx/mixed.log"));

  it("gives the error line and the access line of one request the same operation, whatever zone each writes", () => {
    const [error, access] = sink.seen;
    expect(error).toMatchObject({
      sandbox: "b",
      evidence: { layer: "gateway", kind: "error", method: "GET", path: "/v1/sandboxes/b", peer: "10.244.3.84:8080" },
    });
    expect(access).toMatchObject({
      sandbox: "b",
      at: Date.UTC(2026, 10, 3, 6, 9, 30),
      evidence: { kind: "access", status: 502 },
    });
    expect(error?.evidence.operationId).toBe(access?.evidence.operationId);
  });

  it("keeps a good answer to a sandbox call as a success, and counts the rest as routine", () => {
    expect(sink.seen[2]?.evidence).toMatchObject({ kind: "success", status: 200, phase: "setup" });
    expect(sink.routines.map((payload) => payload.line)).toEqual([4]);
  });

  it("reads Go's reverse proxy", () => {
    expect(sink.seen[3]?.evidence).toMatchObject({ layer: "gateway", kind: "error", peer: "10.61.4.27:44772" });
  });

  it("gives a dead exec daemon behind an ingress to the sandbox that held its address then", async () => {
    const pod = (name: string, created: string, ended: string) => ({
      kind: "Pod",
      metadata: { name: `${name}-0`, uid: name, creationTimestamp: created, labels: { "opensandbox.io/id": name } },
      spec: { nodeName: `node-of-${name}` },
      status: {
        ...{ phase: "Failed", podIP: "10.61.4.27" },
        containerStatuses: [
          { name: "sandbox", restartCount: 0, state: { terminated: { exitCode: 0, finishedAt: ended } } },
        ],
      },
    });
    const items = [
      pod("s-1", "2026-07-21T08:00:00Z", "2026-07-21T09:00:00Z"),
      pod("s-2", "2026-07-21T09:30:00Z", "2026-07-21T10:02:10Z"),
    ];
    const store = await openMemory();
    await send(store, JSON.stringify({ kind: "PodList", items }));
    await send(
      store,
      "2026/07/21 10:02:14 http: proxy error: dial tcp 10.61.4.27:44772: connect: connection refused\n",
    );
    const found = await everything((page) => store.listIncidents({ families: ["proxy"] }, page));
    expect(found.map((one) => [one.class, one.sandbox, one.node])).toEqual([
      ["gateway.connect_failed", "s-2", "node-of-s-2"],
    ]);
  });
});

describe("envoy", () => {
  const sink = readLines(envoy, fixture("envoy/access.jsonl"));

  it("reads flags, details, time taken and upstream", () => {
    expect(sink.seen[0]).toMatchObject({
      sandbox: "a",
      evidence: {
        kind: "access",
        status: 503,
        code: "UF,URX",
        durationMs: 10_001,
        port: 44772,
        peer: "10.244.5.6:8080",
        phase: "exec",
      },
    });
    expect(sink.seen[1]?.evidence).toMatchObject({ kind: "success", attempt: 2 });
  });

  it("rejects a wrong type and a cut line", () => {
    expect(sink.rejects).toMatchObject([
      { line: 3, code: "invalid_type", message: "response_code must be a number, got string" },
      { line: 4, code: "incomplete" },
    ]);
  });
});

describe("alb", () => {
  it("tells the balancer's own status from one that a target gave", () => {
    const { seen } = readLines(alb, fixture("alb/access.log"));
    expect(seen[0]).toMatchObject({
      sandbox: "a",
      at: Date.UTC(2026, 2, 1, 10, 0, 0, 186),
      evidence: { status: 502, durationMs: 12, peer: "10.0.0.1:80" },
    });
    expect(seen[0]?.evidence.message).toBeUndefined();
    expect(seen[1]?.evidence).toMatchObject({
      status: 503,
      message: "via_upstream 503",
      durationMs: 4000,
      phase: "create",
    });
  });
});
