/** How the SDKs of sandboxes, runtimes and HTTP clients word a failure in a harness's log, and what must not be taken for one. */
import { describe, expect, test } from "vitest";
import { incidents, openMemory, rollouts, send } from "../support/deliveries";

const ID = "3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa";
const raised = (kind: string, status: string, path: string) =>
  `httpx.HTTPStatusError: ${kind} error '${status}' for url 'http://osb${path}'`;
const exec = `/v1/sandboxes/${ID}/proxy/44772/command`;

async function classesOf(message: string, level = "ERROR") {
  const store = await openMemory();
  await send(store, `2026-10-21 09:14:03,120 ${level} rollout: ${message}\n`);
  const found = await incidents(store);
  await store.close();
  return found.map((one) => one.class).join();
}

test.each([
  ["modal.exception.NotFoundError: Sandbox with ID sb-abc not found", "control.sandbox_gone"],
  ["modal.exception.SandboxTimeoutError: Sandbox timed out", "control.sandbox_gone"],
  ["modal.exception.ResourceExhaustedError: Sandbox creation rate limit exceeded", "control.rate_limited"],
  ["modal.exception.RemoteError: Image build for im-abc failed. See build logs", "pod.start_failed"],
  ["DaytonaError: Failed to create sandbox: No available runners", "control.unschedulable"],
  [
    "DaytonaError: Failed to create sandbox: Sandbox failed to start within the 60 seconds timeout",
    "control.create_timeout",
  ],
  ["SandboxNotRunningError: Sandbox sbx-1 did not become running", "control.ready_check_failed"],
  ["SandboxTimeoutError: Sandbox sbx-1 exceeded its lifetime", "control.sandbox_gone"],
  ["SandboxImagePullError: Sandbox sbx-1 image pull failed", "pod.image_pull"],
  [
    'docker.errors.NotFound: 404 Client Error for http+docker://x/y: Not Found ("No such container: abc")',
    "control.sandbox_gone",
  ],
  [
    'kubernetes.client.exceptions.ApiException: (404) Reason: Not Found: pods "sbx-1" not found',
    "control.sandbox_gone",
  ],
  ["ApiException: (0) Reason: Handshake status 500 Internal Server Error", "control.api_error"],
  [
    "httpx.RemoteProtocolError: <StreamReset stream_id:5, error_code:2, remote_reset:True>",
    "transport.connection_reset",
  ],
  ["httpx.RemoteProtocolError: <ConnectionTerminated error_code:0, last_stream_id:19>", "transport.stale_keepalive"],
  ['AioRpcError: status = StatusCode.UNAVAILABLE details = "Socket closed"', "transport.connection_reset"],
  ['AioRpcError: StatusCode.UNAVAILABLE "failed to connect to all addresses"', "transport.connect_refused"],
  ["grpc.RpcError: StatusCode.DEADLINE_EXCEEDED Deadline Exceeded", "transport.request_timeout"],
  ["BrokenProcessPool: A process in the process pool was terminated abruptly while", "harness.worker_died"],
  ["google.genai.errors.ServerError: 503 UNAVAILABLE. The model is overloaded.", "model.endpoint"],
  [raised("Client", "429 Too Many Requests", "/v1/sandboxes"), "control.rate_limited"],
  [raised("Client", "401 Unauthorized", "/v1/sandboxes"), "control.auth"],
  [raised("Server", "500 Internal Server Error", "/v1/sandboxes"), "control.api_error"],
  [raised("Server", "500 Internal Server Error", exec), "proxy.internal_5xx"],
  [raised("Server", "504 Gateway Timeout", exec), "gateway.timeout"],
  [raised("Client", "404 Not Found", `/v1/sandboxes/${ID}`), "control.sandbox_gone"],
  [raised("Client", "410 Gone", exec), "control.sandbox_gone"],
  [
    `requests.exceptions.HTTPError: 404 Client Error: Not Found for url: http://osb/v1/sandboxes/${ID}`,
    "control.sandbox_gone",
  ],
  [raised("Server", "502 Bad Gateway", "/v1/chat/completions"), "model.endpoint"],
])("%s", async (message, expected) => {
  expect(await classesOf(message)).toBe(expected);
});

describe("no failure of infrastructure:", () => {
  test.each([
    `10.2.0.9 - - [21/Oct/2026:06:11:00 +0000] "POST ${exec} HTTP/1.1" 502 150 "-" "curl" 900 0.002 [x] [] 10.0.0.1:80 0 0.002 502 8f`,
    '{"start_time":"2026-10-21T06:11:00.123Z","method":"POST","path":"/a","response_code":503,"response_flags":"UF"}',
    'E1021 09:40:12.123456 1234 kubelet.go:2412] "Skipping pod synchronization" err="PLEG is not healthy"',
    "[12345.678901] Memory cgroup out of memory: Killed process 991 (python3)",
    'time="2026-10-21T12:12:00Z" level=error msg="StartContainer for x failed" error="failed to create shim task"',
    '{"kind":"Event","metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"x"},"reason":"Evicted","type":"Warning"}',
    `INFO:     2026-10-21 09:14:03+0000 [-] uvicorn.access: 10.0.0.1:5 - "POST ${exec} HTTP/1.1" 502`,
    '{"_ng_task_index":1,"_ng_rollout_index":0,"reward":0,"response":{},"metadata":{"error":"Server disconnected","traceback":""}}',
  ])("printed by the sandbox container: %s", async (line) => {
    const store = await openMemory();
    await send(store, `[pod/${ID}-0/sandbox] ${line}\n`);
    const found = await incidents(store);
    const rows = await rollouts(store);
    await store.close();
    expect([found.filter((one) => one.family !== "none"), rows]).toEqual([[], []]);
  });

  test.each([
    ["INFO", "tool output: requests.exceptions.ConnectionError: Connection refused"],
    ["INFO", "observation: 502 Bad Gateway; OOMKilled; ErrImagePull; No space left on device"],
    ["INFO", `step 3 output: ${raised("Client", "410 Gone", exec)}`],
    ["INFO", "Downloaded 429 files in 502 ms from http://203.0.113.9/504"],
    ["WARNING", "retry budget: 5 of 502 rollouts left"],
  ])("%s %s", async (level, message) => {
    expect(await classesOf(message, level)).toBe("");
  });

  test("another host's 429 is not the sandbox API's", async () => {
    const message = raised("Client", "429 Too Many Requests", "/api/datasets").replace("osb", "hub.example");
    expect(await classesOf(message)).not.toMatch(/^control\./);
  });
});
