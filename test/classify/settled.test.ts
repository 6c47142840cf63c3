import { describe, expect, test } from "vitest";
import { classify } from "@/server/classify/classify";
import type { Evidence } from "@/server/domain/evidence";

const classOf = (evidence: Evidence) => classify(evidence).class;
const harness = (message: string, more: Partial<Evidence> = {}): Evidence => ({
  layer: "harness",
  kind: "error",
  message,
  ...more,
});
const awaiting = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
const reading = "sse read: context deadline exceeded (Client.Timeout exceeded while reading body)";

describe("a command that ends by 137, -1 or a signal while its container lives", () => {
  test.each<[string, Evidence]>([
    ["137", { layer: "harness", kind: "exit", exitCode: 137, durationMs: 12 }],
    ["-1", { layer: "harness", kind: "exit", exitCode: -1 }],
    [
      "signal: killed",
      { layer: "execd", kind: "exec_log", message: "CommandExecError: error running commands: signal: killed" },
    ],
    ["exec event 137", { layer: "execd", kind: "exec_event", message: "CommandExecError: 137", exitCode: 137 }],
  ])("%s is agent.command_killed", (_, evidence) => {
    expect(classOf(evidence)).toBe("agent.command_killed");
  });

  test("is a timeout when it used up its limit, by the harness's word or by the clock", () => {
    const exit: Evidence = { layer: "harness", kind: "exit", exitCode: 137 };
    expect(classOf({ ...exit, producerClass: "timeout" })).toBe("agent.command_timeout");
    expect(classOf({ ...exit, exitCode: -1, durationMs: 5_000, timeoutMs: 5_000 })).toBe("agent.command_timeout");
    expect(classOf({ ...exit, durationMs: 4_000, timeoutMs: 5_000 })).toBe("agent.command_killed");
  });

  test("is OOM when the cgroup counted one, weakly when an ancestor must have", () => {
    const exit: Evidence = { layer: "harness", kind: "exit", exitCode: 137, memoryOomKills: 1 };
    expect(classify({ ...exit, memoryOomEvents: 1, memoryMaxEvents: 191_487 })).toMatchObject({
      class: "pod.oom_process",
      confidence: "certain",
    });
    expect(classify({ ...exit, memoryOomEvents: 0, memoryMaxEvents: 0 })).toMatchObject({
      class: "pod.oom_process",
      confidence: "possible",
    });
  });
});

describe("which container", () => {
  const end: Evidence = { layer: "kubernetes", kind: "container_end", exitCode: 137, reason: "OOMKilled" };
  test("OOMKilled of the sandbox container is pod.oom_killed", () => {
    expect(classOf({ ...end, container: "sandbox", mainContainer: true })).toBe("pod.oom_killed");
  });
  test("OOMKilled of a sidecar, or with exit 0, is a process inside", () => {
    expect(classify({ ...end, container: "egress", mainContainer: false })).toMatchObject({
      class: "pod.oom_process",
      subCause: "sidecar",
    });
    expect(classOf({ ...end, exitCode: 0, mainContainer: true })).toBe("pod.oom_process");
  });
  test("137 without reason is unknown who, not when the pod was being deleted, never 143", () => {
    expect(classOf({ ...end, reason: "Error", mainContainer: true })).toBe("pod.killed_unknown");
    expect(classOf({ ...end, reason: "ContainerStatusUnknown", mainContainer: true })).toBe("pod.killed_unknown");
    expect(classOf({ ...end, reason: "Error", mainContainer: true, deleting: true })).toBeNull();
    expect(classOf({ ...end, reason: "Error", exitCode: 143, mainContainer: true })).toBeNull();
  });
});

describe("429", () => {
  const answer: Evidence = { layer: "harness", kind: "http", status: 429 };
  test.each(["quota exceeded for namespace", "concurrent sandboxes limit", "no capacity left in pool"])(
    "naming capacity is control.unschedulable: %s",
    (message) => expect(classOf({ ...answer, message })).toBe("control.unschedulable"),
  );
  test("otherwise from the sandbox API or a gateway before it is control.rate_limited", () => {
    expect(classOf({ ...answer, message: "Too Many Requests" })).toBe("control.rate_limited");
    expect(classOf({ layer: "gateway", kind: "access", status: 429, code: "RL" })).toBe("control.rate_limited");
    expect(classOf(harness("create failed: SandboxApiException: HTTP 429 Too Many Requests"))).toBe(
      "control.rate_limited",
    );
  });
});

describe("whose text it is", () => {
  const gone =
    "Error response from daemon: No such container: 13e5a75215f5bd0a966ac856d6330d1bbfede9779c41fdc8d8930154b297b894";
  test("the daemon's word about the harness's container counts, also in a step's output", () => {
    expect(classOf({ layer: "harness", kind: "exit", exitCode: 1, message: gone })).toBe("control.sandbox_gone");
    expect(classOf(harness(gone))).toBe("control.sandbox_gone");
    expect(
      classOf({
        layer: "harness",
        kind: "line",
        level: "info",
        message: `step=180 returncode=1 output='${gone}'`,
        exitCode: 1,
      }),
    ).toBe("control.sandbox_gone");
  });
  test("the console of the sandbox is agent output, the egress sidecar's is evidence", () => {
    expect(classOf({ layer: "agent", kind: "error", message: gone })).toBeNull();
    const tls = "Server TLS handshake failed. Certificate verify failed: IP address mismatch";
    expect(classOf({ layer: "gateway", kind: "error", message: tls })).toBe("transport.tls");
    expect(classOf({ layer: "agent", kind: "error", message: tls })).toBeNull();
  });
});

describe("Go's two timeouts", () => {
  test("while reading body with bytes flowing is the client's setting", () => {
    expect(classOf(harness(reading, { bytesRead: 88_123 }))).toBe("client.config");
    expect(classOf(harness(reading))).toBe("transport.request_timeout");
  });
  test("awaiting headers is stale on a reused socket and a timeout on a fresh one", () => {
    expect(classOf(harness(awaiting, { reusedSocket: true }))).toBe("transport.stale_keepalive");
    expect(classOf(harness(awaiting, { reusedSocket: false }))).toBe("transport.request_timeout");
  });
  test("an empty ReadError without sign of reuse is a reset, with reuse and idle time a stale socket", () => {
    const empty = harness("command run failed for sandbox a: ", { errorType: "ReadError" });
    expect(classOf(empty)).toBe("transport.connection_reset");
    expect(classOf({ ...empty, reusedSocket: true, idleMs: 6_000 })).toBe("transport.stale_keepalive");
  });
});

describe("execd's proxy and spawn errors", () => {
  test("a port inside the sandbox is the app's, 44772 is the backend", () => {
    const message = "Proxy error: dial tcp 127.0.0.1:8888: connect: connection refused, request: POST /code";
    expect(classOf({ layer: "execd", kind: "error", message })).toBe("app.response");
    expect(classOf({ layer: "execd", kind: "error", message: message.replace("8888", "44772") })).toBe(
      "proxy.backend_502",
    );
  });
  test("a server's websocket that cannot reach 44772 is proxy.backend_502", () => {
    const message = "WebSocket proxy to ws://10.61.4.27:44772/pty failed: connect call refused";
    expect(classOf({ layer: "server", kind: "error", message })).toBe("proxy.backend_502");
  });
  test("resource temporarily unavailable is pod.process_limit before exec.spawn_failed", () => {
    const start = "CommandExecError: error starting commands: fork/exec /bin/bash: ";
    for (const kind of ["exec_log", "exec_event"] as const) {
      expect(classOf({ layer: "execd", kind, message: `${start}resource temporarily unavailable` })).toBe(
        "pod.process_limit",
      );
      expect(classOf({ layer: "execd", kind, message: `${start}no such file or directory` })).toBe("exec.spawn_failed");
    }
  });
});

describe("a balancer's 502", () => {
  test("within a tenth of a second is a stale upstream, later a bad gateway", () => {
    const line: Evidence = { layer: "gateway", kind: "access", status: 502 };
    expect(classOf({ ...line, durationMs: 99 })).toBe("gateway.stale_upstream");
    expect(classOf({ ...line, durationMs: 100 })).toBe("gateway.bad_gateway");
    expect(classOf(line)).toBe("gateway.bad_gateway");
  });
  test("proxy.backend_502 needs the server's own access line or body", () => {
    expect(classOf({ layer: "harness", kind: "http", status: 502, port: 44_772, message: "" })).toBe(
      "gateway.bad_gateway",
    );
    expect(classOf({ layer: "server", kind: "access", status: 502, path: "/v1/sandboxes/a/proxy/44772/ping" })).toBe(
      "proxy.backend_502",
    );
  });
});

describe("single sentences", () => {
  test.each<[string | null, Evidence]>([
    [
      "control.ready_check_failed",
      {
        layer: "record",
        kind: "error",
        errorType: "AgentSetupTimeoutError",
        message: "Agent setup timed out after 360 seconds",
      },
    ],
    ["control.sandbox_gone", harness("bad request: no IP address found. Is the Sandbox started?")],
    ["control.sandbox_gone", harness("Error response from daemon: container 13e5a7 is not running")],
    [
      "control.sandbox_gone",
      harness("Failed to get session command: bad request: no IP address found. Is the Sandbox started?"),
    ],
    ["proxy.backend_dead", harness("failed to get session command")],
    [
      "node.not_ready",
      { layer: "server", kind: "error", message: "dial tcp 10.0.0.5:10250: connect: connection refused" },
    ],
    [
      "transport.stale_keepalive",
      {
        layer: "server",
        kind: "error",
        errorType: "LocalProtocolError",
        message: "h11._util.LocalProtocolError: can't handle event type ConnectionClosed when role=SERVER",
      },
    ],
    [null, { layer: "server", kind: "error", message: "Informer watch error: (410)" }],
    ["client.config", harness("Failed on proj__delta-4004: swerex-remote: not found")],
  ])("%s", (expected, evidence) => expect(classOf(evidence)).toBe(expected));

  test("a kubelet out of reach is only likely, a lost session only possible", () => {
    expect(classify(harness("dial tcp 10.0.0.5:10250: i/o timeout")).confidence).toBe("likely");
    expect(classify(harness("failed to get session command")).confidence).toBe("possible");
  });

  test("Gym's client raises after its third try", () => {
    const message = "Hit an exception while making a request (try 3): <class 'asyncio.exceptions.TimeoutError'>: ";
    expect(classOf(harness(message, { attempt: 3, maxAttempts: 3 }))).toBe("transport.request_timeout");
  });

  test("no failure is class null, never a class named none", () => {
    expect(classify({ layer: "harness", kind: "success" })).toEqual({
      class: null,
      rule: null,
      subCause: null,
      confidence: null,
    });
  });
});
