import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonLines } from "@/server/ingest/formats/json-lines";
import { contextWith, payloadOf, RecordingSink, readLines } from "../../support/recording-sink";

const caseFile = (name: string) => readFileSync(new URL(`../../cases/${name}`, import.meta.url), "utf8");
const sink = readLines(
  jsonLines,
  readFileSync(new URL("./fixtures/json-lines/records.jsonl", import.meta.url), "utf8"),
);
const evidence = (i: number) => sink.seen[i]?.evidence;

describe("json-lines", () => {
  it("reads code and message out of a body that is JSON in a string, and any other body as text", () => {
    const { seen } = readLines(jsonLines, caseFile("004-proxy-error-bodies-old-and-new.jsonl"));
    expect(
      seen.map((one) => [one.attempt, one.evidence.status, one.evidence.port, one.evidence.code, one.podIp]),
    ).toEqual([
      ["r-0401", 502, 44772, "GENERAL::UNKNOWN_ERROR", "10.42.3.17"],
      ["r-0402", 502, 44772, "BACKEND_CONNECTION_FAILED", "10.42.3.18"],
      ["r-0403", 502, 44772, undefined, undefined],
      ["r-0404", 500, 44772, "GENERAL::UNKNOWN_ERROR", undefined],
      ["r-0405", 500, 44772, "GENERAL::UNKNOWN_ERROR", undefined],
      ["r-0406", 502, 8080, undefined, undefined],
      ["r-0407", 404, 44772, "KUBERNETES::SANDBOX_NOT_FOUND", undefined],
    ]);
    expect(seen[2]?.evidence.message).toContain("nginx/1.27.0");
    expect(seen[3]?.evidence.message).toBe("An internal error occurred in the proxy: ");
    expect(seen[5]?.evidence.serverHeader).toBe("gunicorn");
    expect(seen[0]?.at).toBe(Date.UTC(2026, 7, 28, 10, 0, 1, 120));
  });

  it("reads how commands ended, their limits and their cgroup's counters", () => {
    const { seen } = readLines(jsonLines, caseFile("007-exit-137-not-oom.jsonl"));
    expect(seen).toHaveLength(7);
    expect(seen[3]?.evidence).toMatchObject({
      kind: "exit",
      exitCode: 137,
      durationMs: 600_021,
      timeoutMs: 600_000,
      producerClass: "timeout",
    });
    expect(seen[4]?.evidence).toMatchObject({ memoryMaxEvents: 191_487, memoryOomEvents: 1, memoryOomKills: 1 });
    expect(seen[6]?.evidence).toMatchObject({ memoryMaxEvents: 0, memoryOomEvents: 0, memoryOomKills: 1 });
    expect(seen[0]).toMatchObject({ attempt: "r-0701", at: 1790100000123 });
  });

  it("adds up the stages of a create, and takes the client's word for how it ended", () => {
    const { seen } = readLines(jsonLines, caseFile("010-batchsandbox-ready-lag.jsonl"));
    const failed = seen.filter((one) => one.evidence.kind === "error");
    expect(failed).toMatchObject([
      {
        sandbox: "sbx-009",
        node: "node-30",
        evidence: { errorType: "SandboxReadyTimeoutException", durationMs: 61_000, timeoutMs: 60_000 },
      },
    ]);
    expect(seen.filter((one) => one.evidence.kind === "lifecycle")).toHaveLength(11);
  });

  it("reads a Node.js logger's errors with their cause code, socket reuse and request", () => {
    expect(evidence(1)).toMatchObject({
      kind: "error",
      level: "warn",
      code: "UND_ERR_SOCKET",
      errorType: "SocketError",
      reusedSocket: true,
      idleMs: 5210,
      operationId: "q-1",
    });
    expect(evidence(2)).toMatchObject({ kind: "success", operationId: "q-1" });
    expect(evidence(3)).toMatchObject({ kind: "error", code: "ECONNRESET", message: "fetch failed: read ECONNRESET" });
  });

  it("reads a failed create and the one that went well after it as tries of one attempt", () => {
    expect(sink.seen[4]).toMatchObject({
      attempt: "r-2",
      evidence: { kind: "error", phase: "create", errorType: "SandboxApiException", attempt: 1 },
    });
    expect(sink.seen[5]).toMatchObject({
      attempt: "r-2",
      alsoStream: true,
      evidence: { kind: "lifecycle", phase: "create", attempt: 2 },
    });
  });

  it("counts progress as routine, whatever it quotes", () => {
    expect(sink.routines.map((payload) => payload.line)).toEqual([7, 8]);
  });

  it("reads nanoseconds, a cloud's runner as the machine, and probes with their idle time", () => {
    expect(sink.seen[6]).toMatchObject({
      at: 1773900300000,
      sandbox: "d1",
      node: "runner-4",
      evidence: { kind: "error" },
    });
    expect(evidence(7)).toMatchObject({
      layer: "canary",
      kind: "probe",
      reusedSocket: true,
      idleMs: 5000,
      bytesRead: 0,
    });
  });

  it("rejects a wrong type by name, and a torn record as incomplete", () => {
    expect(sink.rejects).toEqual([
      { line: 11, code: "invalid_type", message: "sandbox_id must be a string, got number" },
      { line: 12, code: "incomplete", message: expect.any(String) },
    ]);
  });

  it("leaves JSON on a sandbox's console to the agent", () => {
    expect(jsonLines.accepts(payloadOf('{"status":502,"body":""}', { container: "sandbox" }))).toBe(false);
  });

  it("never throws on any object with these names", () => {
    const names = [
      "ts",
      "status",
      "body",
      "rc",
      "cgroup",
      "msg",
      "err",
      "level",
      "run",
      "client_result",
      "probe",
      "ok",
      "path",
      "headers",
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (record) => {
        jsonLines.read(payloadOf(JSON.stringify(record)), new RecordingSink(), contextWith());
      }),
    );
  });
});
