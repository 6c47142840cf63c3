import { describe, expect, test } from "vitest";
import { classify } from "@/server/classify/classify";
import { isInfra } from "@/server/classify/taxonomy";
import type { Evidence } from "@/server/domain/evidence";

const classOf = (evidence: Evidence) => classify(evidence).class;
const harness = (message: string, more: Partial<Evidence> = {}): Evidence => ({
  layer: "harness",
  kind: "error",
  message,
  ...more,
});

const FAULTS = [
  "502 Bad Gateway",
  "Server disconnected without sending a response.",
  "OOMKilled",
  "Sandbox was OOM-killed",
  "No space left on device",
  "Failed to pull image x: not found",
  "sandbox abc not found",
  "Could not connect to the backend sandbox endpoint='10.0.0.1:44772'",
  "HTTP 429 Too Many Requests",
  "NodeNotReady",
  "The node was low on resource: memory",
  "raylet died",
];

describe("1. where the text sits decides", () => {
  test.each(FAULTS)("printed by the agent it is never infrastructure: %s", (message) => {
    for (const kind of ["line", "error", "exec_log", "http", "event"] as const) {
      const found = classOf({ layer: "agent", kind, message });
      expect(found === null || /^(agent|task|app)\./.test(found), String(found)).toBe(true);
    }
  });
  test.each(FAULTS)("as the output of a command it is not either: %s", (message) => {
    const found = classOf({ layer: "harness", kind: "exit", exitCode: 1, message });
    expect(found).toBe("agent.command_failed");
    expect(classOf(harness(message, { exitCode: 1 }))).toBe("agent.command_failed");
  });
  test("nor as the body of a program in the sandbox, unless the proxy or a gateway speaks in it", () => {
    const answer: Evidence = { layer: "harness", kind: "http", status: 500, port: 8080 };
    for (const message of ["No space left on device", "OOMKilled", "quota exceeded", "sandbox abc not found"]) {
      expect(classOf({ ...answer, message }), message).toBe("app.response");
    }
    const refused = "Could not connect to the backend sandbox endpoint='10.0.0.1:8080' headers=None: ";
    expect(classOf({ ...answer, status: 502, message: refused })).toBe("proxy.backend_502");
    expect(classOf({ ...answer, status: 404, path: "/v1/sandboxes/a/endpoints/8080" })).toBe("control.sandbox_gone");
  });
  test("nor as an exception that the sandbox's interpreter raised", () => {
    const message = "OSError: [Errno 28] No space left on device";
    expect(classOf({ layer: "execd", kind: "exec_event", message })).toBe("agent.command_failed");
  });
  test("nor as a command that execd repeats, nor as a container's last words", () => {
    const message = "received command: curl http://x | grep 'no space left on device'";
    expect(classOf({ layer: "execd", kind: "exec_log", level: "info", message })).toBeNull();
    const end: Evidence = { layer: "kubernetes", kind: "container_end", exitCode: 0, reason: "Completed" };
    expect(classOf({ ...end, message: "Failed to pull image" })).toBeNull();
  });
  test("at level info a harness may quote the agent: only its own typed lines count", () => {
    const message = "observation: requests.exceptions.ConnectionError: Connection reset by peer";
    expect(classOf({ layer: "harness", kind: "line", level: "info", message })).toBeNull();
  });
});

describe("2. the innermost cause of a chain", () => {
  test("a reset beneath an SDK error is the reset", () => {
    const chain = ["ReadError", "SandboxInternalException"];
    expect(classOf(harness("command run failed for sandbox a: ", { errorType: "ReadError", errorChain: chain }))).toBe(
      "transport.connection_reset",
    );
  });
  test("a model client's error stays the model's, whatever lies beneath it", () => {
    const chain = ["ConnectError", "APIConnectionError"];
    expect(classOf(harness("Connection error.", { errorType: "ConnectError", errorChain: chain }))).toBe(
      "model.endpoint",
    );
  });
});

describe("3. and 4. retries and teardown", () => {
  test("a retry line has the class of its cause", () => {
    expect(
      classOf(harness("Backend-connect 502 on command run; retrying submission 1/6 in 0.2s", { kind: "retry" })),
    ).toBe("proxy.backend_502");
  });
  test("killing what is gone is nothing, a kill that failed is clean-up", () => {
    const kill = { operation: "kill", phase: "teardown" } as const;
    expect(
      classOf(harness("SandboxApiException('Sandbox 23fbfa2d not found')", { kind: "retry", ...kill })),
    ).toBeNull();
    expect(classOf(harness("Timed out during OpenSandbox kill after 30s", kill))).toBe("cleanup.failed");
    expect(classOf(harness("[CLEANUP] best-effort sandbox teardown failed: boom"))).toBe("cleanup.failed");
  });
});

describe("5. and 6. 137 and -1 alone are no OOM", () => {
  test.each([137, -1])("%d", (exitCode) => {
    expect(isInfra(classOf({ layer: "harness", kind: "exit", exitCode }) ?? "")).toBe(false);
  });
});

describe("7. a status belongs to its host", () => {
  test.each([
    [
      "model.judge",
      harness("JudgeError('HTTP 429 from judge model')", { layer: "record", producerClass: "judge_failed" }),
    ],
    ["model.endpoint", harness("model call failed: openai.RateLimitError: Error code: 429")],
    [
      "pod.image_pull",
      harness("Failed to pull image x: 429 Too Many Requests - toomanyrequests", {
        layer: "kubernetes",
        kind: "event",
      }),
    ],
    [
      "pod.network_setup",
      harness('plugin type="cilium-cni" failed (add): [429] putEndpointIdTooManyRequests', {
        layer: "kubernetes",
        kind: "event",
        reason: "FailedCreatePodSandBox",
      }),
    ],
    [
      "control.api_throttled",
      harness("ApiException (429) Reason: Too Many Requests: storage is (re)initializing", { layer: "server" }),
    ],
    ["control.rate_limited", harness("SandboxApiException: HTTP 429 Too Many Requests")],
    ["control.auth", harness("unauthorized", { kind: "http", status: 401 })],
  ] as [string, Evidence][])("%s", (expected, evidence) => expect(classOf(evidence)).toBe(expected));
});

describe("8. and 9. misleading statuses", () => {
  test("504 with POD_READY_TIMEOUT is a create that timed out, 400 unschedulable is capacity", () => {
    expect(classOf(harness("Timeout", { kind: "http", status: 504, code: "KUBERNETES::POD_READY_TIMEOUT" }))).toBe(
      "control.create_timeout",
    );
    expect(classOf(harness("pod is unschedulable", { kind: "http", status: 400 }))).toBe("control.unschedulable");
  });
  test("the proxy's 500 with an empty reason is a proxy error", () => {
    expect(
      classOf(harness("An internal error occurred in the proxy: ", { kind: "http", status: 500, port: 44_772 })),
    ).toBe("proxy.internal_5xx");
  });
});

describe("10. and 11. cut streams and masks", () => {
  test("incomplete chunked read is its own class", () => {
    const message = "peer closed connection without sending complete message body (incomplete chunked read)";
    expect(classOf(harness(message, { errorType: "RemoteProtocolError" }))).toBe("transport.stream_truncated");
  });
  test("what masks a sample is the agent's limit, not infrastructure", () => {
    expect(classOf({ layer: "record", kind: "error", producerClass: "max_steps" })).toBe("agent.limits");
  });
});

describe("12. and 13. words and numbers in passing", () => {
  test.each([
    "GET http://203.0.113.9/status took long",
    "manifest bytes=429 tool timeout=5",
    "the room went boom and the groom left",
    "test_cache_evicted_items ran",
    "fatal: not a git repository",
    "line 401 of main.py",
    "trace 5025021fab",
    "killed two birds",
    "sandbox is warm",
  ])("is no signature: %s", (message) => {
    expect(classOf({ layer: "harness", kind: "line", message })).toBeNull();
    expect(classOf(harness(message))).toBe("unknown");
  });
});

describe("14. to 16. cut, empty and unknown", () => {
  test("a text cut after its first words is still read", () => {
    expect(classOf(harness("Instance failed after 3 retries. Last error: Server disconnected wi"))).toBe(
      "transport.stale_keepalive",
    );
  });
  test("a typed word without text is kept with what it says", () => {
    expect(classOf({ layer: "record", kind: "error", producerClass: "sandbox" })).toBe("exec.sandbox_error");
    expect(classify({ layer: "record", kind: "error", errorType: "RuntimeError", message: "boom" })).toMatchObject({
      class: "unknown",
      confidence: "possible",
      rule: null,
    });
  });
  test.each<[string, Evidence]>([
    ["a panic", { layer: "execd", kind: "line", message: "panic: unrelated stderr line" }],
    ["an error event", { layer: "kubernetes", kind: "event", level: "warn", reason: "SomethingNew", message: "x" }],
    ["a bad end", { layer: "harness", kind: "finished", finishedStatus: "error" }],
    ["a container's own exit code", { layer: "kubernetes", kind: "container_end", exitCode: 1, reason: "Error" }],
  ])("unknown stays visible: %s", (_, evidence) => expect(classOf(evidence)).toBe("unknown"));
  test.each<[string, Evidence]>([
    ["a plain line", { layer: "server", kind: "line", level: "info", message: "Error handling was improved" }],
    ["an access line", { layer: "server", kind: "access", status: 200, path: "/health" }],
    ["a good end", { layer: "harness", kind: "finished", finishedStatus: "ok" }],
    ["a healthy condition", { layer: "kubernetes", kind: "condition", reason: "Ready", finishedStatus: "True" }],
    ["a good probe", { layer: "canary", kind: "probe", status: 200, reusedSocket: true, idleMs: 4_900 }],
    ["our own trouble", { layer: "canary", kind: "probe", finishedStatus: "own_fault", code: "WEIRD" }],
  ])("no failure is nothing: %s", (_, evidence) => expect(classOf(evidence)).toBeNull());
});
