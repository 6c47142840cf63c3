import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pythonLog } from "@/server/ingest/formats/python-log";
import { readLines } from "../../support/recording-sink";

const caseFile = (name: string) => readFileSync(new URL(`../../cases/${name}`, import.meta.url), "utf8");

describe("python-log", () => {
  it("reads a chained traceback as one error with its innermost cause", () => {
    const { seen } = readLines(pythonLog, caseFile("001-opensandbox-keepalive-python.log"));
    const failed = seen.filter((one) => one.evidence.kind === "error" || one.evidence.kind === "retry");
    expect(
      failed.map((one) => [one.attempt, one.evidence.kind, one.evidence.errorType, one.evidence.operationId]),
    ).toEqual([
      ["r-0101", "error", "RemoteProtocolError", "step=8"],
      ["r-0102", "retry", "RemoteProtocolError", "step=3"],
      ["r-0103", "error", "ReadError", "step=12"],
    ]);
    expect(failed[0]?.evidence.errorChain).toEqual(["RemoteProtocolError", "SandboxInternalException"]);
    expect(failed[0]?.evidence.message).toBe("RemoteProtocolError: Server disconnected without sending a response.");
    expect(failed[0]?.sandbox).toBe("c8a18c8f-ef5b-4fb3-9fce-ed0d466e743a");
    expect(failed[1]?.evidence).toMatchObject({ attempt: 1, maxAttempts: 3 });
    expect(failed[2]?.evidence.message).toBe("ReadError");
  });

  it("reads what a Ray task raised as its error, with or without the caller's own frames", () => {
    const task = [
      "ray.exceptions.RayTaskError(SandboxInternalException): \u001b[36mray::run_rollout()\u001b[39m (pid=3323, ip=10.20.0.7)",
      '  File "/opt/gym/app.py", line 12, in run',
      "    raise error",
      "opensandbox.exceptions.SandboxInternalException: Unexpected SDK error occurred: Server disconnected without sending a response.",
    ];
    const caller = [
      "Traceback (most recent call last):",
      '  File "driver.py", line 5, in <module>',
      "    ray.get(refs)",
    ];
    for (const lines of [task, [...caller, ...task]]) {
      const { seen } = readLines(pythonLog, `${lines.join("\n")}\nINFO:driver:next`);
      expect(seen.map((one) => [one.evidence.kind, one.evidence.errorType, one.evidence.message])).toEqual([
        [
          "error",
          "SandboxInternalException",
          "SandboxInternalException: Unexpected SDK error occurred: Server disconnected without sending a response.",
        ],
      ]);
    }
    const [head = ""] = task;
    expect(readLines(pythonLog, head).seen[0]?.evidence).toMatchObject({ errorType: "SandboxInternalException" });
  });

  it("takes naive times as UTC and says that it assumed so", () => {
    const { seen } = readLines(pythonLog, caseFile("001-opensandbox-keepalive-python.log"));
    expect(seen[0]).toMatchObject({ at: Date.UTC(2026, 6, 30, 9, 14, 2, 118), atAssumed: true });
  });

  it("makes a rollout of each finished line, and calls only an ok zero honest", () => {
    const { rollouts } = readLines(pythonLog, caseFile("001-opensandbox-keepalive-python.log"));
    expect(rollouts.map((r) => [r.attemptName, r.reward, r.error, r.evidence.length])).toEqual([
      ["r-0101", 0, "finished with status error", 0],
      ["r-0102", 1, null, 0],
      ["r-0103", 0, "finished with status error", 0],
      ["r-0104", 0, null, 1],
    ]);
  });

  it("reads retry counters, typed give-ups, OOM texts and return codes of the Gym provider", () => {
    const { seen } = readLines(pythonLog, caseFile("047-gym-absorbed-vs-fatal.log"));
    expect(seen).toHaveLength(15);
    expect(seen[0]?.evidence).toMatchObject({
      kind: "retry",
      status: 502,
      operation: "command run",
      phase: "exec",
      attempt: 1,
      maxAttempts: 6,
    });
    expect(seen[2]?.evidence).toMatchObject({ kind: "success", phase: "exec", exitCode: 0 });
    expect(seen[3]?.evidence).toMatchObject({
      kind: "retry",
      phase: "create",
      errorType: "SandboxReadyTimeoutException",
      attempt: 1,
    });
    expect(seen[4]).toMatchObject({
      evidence: { kind: "lifecycle" },
      alsoStream: true,
      sandbox: "6e08c53b-457b-4b2d-a7ea-03703318cad6",
    });
    expect(seen[10]).toMatchObject({
      attempt: "r-4703",
      sandbox: "707eaf71-7e94-4be1-8504-a599bb51b331",
      evidence: {
        kind: "error",
        errorType: "SandboxBackendUnreachableError",
        operation: "command run",
        attempt: 6,
        maxAttempts: 6,
      },
    });
    expect(seen[11]).toMatchObject({
      podName: "sbx-w-0",
      evidence: { kind: "error", errorType: "SandboxBackendUnreachableError" },
    });
    expect(seen[12]?.evidence).toMatchObject({ kind: "error", exitCode: 125, producerClass: "sandbox" });
    expect(seen[13]?.evidence).toMatchObject({
      kind: "exit",
      exitCode: 125,
      message: "docker: Error response from daemon",
    });
    expect(seen[13]?.evidence.producerClass).toBeUndefined();
    expect(seen[14]?.evidence).toMatchObject({ kind: "retry", phase: "teardown", operation: "kill" });
  });

  it("keeps two equal bare exception lines apart", () => {
    const { seen } = readLines(pythonLog, "ServerDisconnectedError\nServerDisconnectedError");
    expect(seen.map((one) => one.evidence)).toEqual([
      {
        layer: "harness",
        kind: "error",
        errorType: "ServerDisconnectedError",
        errorChain: ["ServerDisconnectedError"],
        message: "ServerDisconnectedError",
      },
      {
        layer: "harness",
        kind: "error",
        errorType: "ServerDisconnectedError",
        errorChain: ["ServerDisconnectedError"],
        message: "ServerDisconnectedError",
      },
    ]);
  });

  it("reads which sandbox a supervisor writes about", () => {
    const { seen } = readLines(
      pythonLog,
      "2026-07-17T02:02:00Z sandbox[b]: ls: cannot open shared object file: Error 24",
    );
    expect(seen).toMatchObject([{ sandbox: "b", evidence: { layer: "harness", kind: "line", logger: "sandbox[b]" } }]);
  });

  it("does not take the console of a sandbox for a harness's log", () => {
    const payload = { who: { container: "sandbox" }, at: null, text: "2026-01-01 00:00:00,000 ERROR x boom", line: 1 };
    expect(pythonLog.accepts(payload)).toBe(false);
  });

  it("counts progress lines as routine", () => {
    const sink = readLines(
      pythonLog,
      "2026-01-01 00:00:00,000 INFO agent said: 502 Bad Gateway, connection reset by peer",
    );
    expect(sink.seen).toEqual([]);
    expect(sink.routines).toHaveLength(1);
  });
});
