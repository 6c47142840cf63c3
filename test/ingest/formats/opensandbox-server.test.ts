import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { opensandboxServer } from "@/server/ingest/formats/opensandbox-server";
import { pythonField } from "@/server/ingest/formats/server-lines";
import { everything, openMemory, send } from "../../support/deliveries";
import { readLines } from "../../support/recording-sink";

const body = readFileSync(new URL("./fixtures/opensandbox-server/create-and-proxy.log", import.meta.url), "utf8");
const sink = readLines(opensandboxServer, body);

describe("opensandbox-server", () => {
  it("reads access lines with their sandbox and port, and without their query", () => {
    const [ran, refused] = sink.seen;
    expect(ran).toMatchObject({
      sandbox: "3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa",
      evidence: { kind: "success", phase: "exec", status: 200 },
    });
    expect(refused?.evidence).toMatchObject({
      layer: "server",
      kind: "access",
      method: "GET",
      path: "/v1/sandboxes/3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa/proxy/44772/ping",
      port: 44772,
      status: 502,
    });
    expect(refused?.at).toBe(Date.UTC(2026, 6, 21, 9, 14, 41));
  });

  it("counts a create that failed once, though its own line names the sandbox and its access line none", async () => {
    const line = (second: number, logger: string, message: string) =>
      `ERROR:    2026-07-21 09:15:${second}+0000 [-] ${logger}: ${message}`;
    const failed = (id: string) =>
      `Creation failed, cleaning up sandbox ${id}: 504: {'code': 'KUBERNETES::POD_READY_TIMEOUT', 'message': 'Timeout waiting for sandbox ${id} to be Running with IP. Elapsed: 60.4s, Last state: Pending'}`;
    const answer = '10.61.0.9:5 - "POST /v1/sandboxes HTTP/1.1" 504';
    const service = "opensandbox_server.services.k8s.kubernetes_service";
    const [a, b] = ["3f0c8a52-6b1e-4c77-9a0d-000000000001", "3f0c8a52-6b1e-4c77-9a0d-000000000002"];
    const lines = [
      line(10, service, failed(a ?? "")),
      line(10, "uvicorn.access", answer),
      line(11, service, failed(b ?? "")),
      line(11, "uvicorn.access", answer),
      line(40, "uvicorn.access", answer),
    ];
    for (const body of [lines, [...lines].reverse()]) {
      const store = await openMemory();
      await send(store, `${body.join("\n")}\n`);
      const found = await everything((page) => store.listIncidents({}, page));
      expect(found.map((one) => [one.class, one.sandbox]).sort()).toEqual([
        ["control.create_timeout", null],
        ["control.create_timeout", a],
        ["control.create_timeout", b],
      ]);
    }
  });

  it("shows an access line without its colours", () => {
    const line =
      '\u001b[32mINFO\u001b[0m:     2026-07-21 09:14:41+0000 [-] uvicorn.access: 10.61.0.9:5 - "POST /v1/sandboxes HTTP/1.1" 504';
    expect(readLines(opensandboxServer, line).seen[0]?.text).toMatch(/^INFO: +2026-07-21/);
  });

  it("reads when a sandbox was asked for and when it ran", () => {
    expect(sink.facts.map((fact) => [fact.name, fact.value])).toEqual([
      ["createdAt", Date.UTC(2026, 6, 21, 9, 15, 2)],
      ["readyAt", Date.UTC(2026, 6, 21, 9, 15, 9)],
    ]);
    expect(sink.seen[2]?.evidence).toMatchObject({ kind: "lifecycle", phase: "create", operationId: "canary-0041" });
  });

  it("reads a failed state with the pod it names, and the body of a failed create", () => {
    expect(sink.seen[3]).toMatchObject({
      podName: "0a94c6b2-51d7-4f0e-b1a8-9e3d7c5f2210-0",
      evidence: { kind: "error", phase: "create", reason: "ImagePullBackOff" },
    });
    expect(sink.seen[4]).toMatchObject({
      sandbox: "0a94c6b2-51d7-4f0e-b1a8-9e3d7c5f2210",
      evidence: {
        status: 504,
        code: "KUBERNETES::POD_READY_TIMEOUT",
        message: expect.stringMatching(/^Timeout waiting for sandbox/),
      },
    });
  });

  it("keeps failed creates, warnings and tracebacks, and counts health checks as routine", () => {
    expect(sink.seen.slice(5).map((one) => [one.evidence.kind, one.evidence.status, one.evidence.errorType])).toEqual([
      ["access", 504, undefined],
      ["line", undefined, undefined],
      ["error", undefined, "PoolTimeout"],
    ]);
    expect(sink.routines).toHaveLength(2);
  });

  it("undoes the quoting of a Python repr once", () => {
    expect(pythonField(`{'code': 'A', 'message': "it's \\"so\\""}`, "message")).toBe(`it's "so"`);
    expect(pythonField("not a dict", "code")).toBeUndefined();
  });
});
