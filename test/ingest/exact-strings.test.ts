import { expect, test } from "vitest";
import { incidents, openMemory, rollouts, send } from "../support/deliveries";

/** Lines as they arrive, with the classes that they give (null: no failure of infrastructure and nothing unknown). */
type Row = readonly [line: string, classes: string | null, sandbox?: string];

const ID = "3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa";
const server = (level: string, message: string) =>
  `${`${level}:`.padEnd(9)} 2026-10-21 09:14:03+0000 [c1] opensandbox_server.services.k8s.kubernetes_service: ${message}`;
const client = (message: string) => `2026-10-21 09:14:03,120 ERROR rollout: ${message}`;
const ray = (message: string) => `(run_agent pid=1101, ip=10.2.3.4) ${message}`;
const kubelet = (head: string, message: string) => `Oct 21 09:40:12 n-5 kubelet[1200]: ${head} ${message}`;
const INFO = "I1021 09:40:12.123456    1234 x.go:1]";
const controller = (fields: object) =>
  JSON.stringify({
    level: "info",
    ts: "2026-10-21T09:40:12Z",
    controller: "batchsandbox",
    namespace: "osb",
    name: ID,
    ...fields,
  });
const patched = (reason: string, message: string) =>
  controller({
    msg: "Patching BatchSandbox status",
    phase: "Failed",
    patchData: JSON.stringify({ status: { conditions: [{ type: "PodFailed", status: "True", reason, message }] } }),
  });
const event = (reason: string, message: string) =>
  JSON.stringify({
    kind: "Event",
    metadata: { name: "e", namespace: "osb", uid: "u" },
    involvedObject: { kind: "Pod", namespace: "osb", name: `${ID}-0`, uid: "p" },
    reason,
    message,
    type: "Warning",
    lastTimestamp: "2026-10-21T09:30:00Z",
  });
const answer = (status: number, body: string) =>
  JSON.stringify({
    time: "2026-10-21T10:00:00Z",
    method: "POST",
    url: `http://gw/sandboxes/${ID}/proxy/44772/command`,
    status,
    body,
  });
const gym = (fields: object) =>
  JSON.stringify({ _ng_task_index: 1, _ng_rollout_index: 0, response: { id: "r", output: [] }, reward: 0, ...fields });
const ended = (end: string) =>
  `Failed to run command. Status: 410, Body: {"code":"SANDBOX::ENDED","message":"Sandbox ${ID} has ended${end}"}`;

const ROWS: readonly Row[] = [
  [
    server(
      "ERROR",
      `Creation failed, cleaning up sandbox ${ID}: 429: {'code': 'KUBERNETES::POOL_CAPACITY_EXHAUSTED', 'message': 'Pool a is busy'}`,
    ),
    "control.unschedulable",
    ID,
  ],
  [server("INFO", `Sandbox ${ID} state: Pending - pool warm-a: POOL_CAPACITY_EXHAUSTED`), "control.unschedulable", ID],
  [server("INFO", `Sandbox ${ID} state: Pending - Pod is scheduled`), null],
  [
    server(
      "INFO",
      `Sandbox ${ID} state: Failed - 1/1 observed pods failed; primary reason=PodFailed; sample detail=Pod ${ID}-0 entered Failed phase (Evicted): low`,
    ),
    "pod.evicted",
    ID,
  ],
  [
    server("WARNING", "WebSocket proxy failed: [Errno 111] Connect call failed ('10.61.4.27', 44772)"),
    "proxy.backend_502",
  ],
  [
    [
      server("ERROR", "Exception in callback H11Protocol.timeout_keep_alive_handler()"),
      "handle: <TimerHandle when=12 H11Protocol.timeout_keep_alive_handler()>",
      "Traceback (most recent call last):",
      '  File "h11_impl.py", line 1, in timeout_keep_alive_handler',
      "h11._util.LocalProtocolError: can't handle event type ConnectionClosed when role=SERVER",
    ].join("\n"),
    "transport.stale_keepalive",
  ],
  [client(ended(": OOMKilled")), "pod.oom_killed", ID],
  [client(ended(": Evicted")), "pod.evicted", ID],
  [client(ended("")), "control.sandbox_gone", ID],
  [client("SandboxEndedError: sandbox ended: Evicted"), "pod.evicted"],
  [client("SandboxRateLimitException: Create sandbox failed: Pool warm-a capacity exhausted"), "control.unschedulable"],
  [client("SandboxRateLimitException: Create sandbox failed: HTTP 429"), "control.rate_limited"],
  [client("swerex.exceptions.CommandTimeoutError: Timeout after 30s while running command"), null],
  [
    "Error: socket hang up\n    at connResetException (node:internal/errors:720:14) {\n  code: 'ECONNRESET'\n}",
    "transport.stale_keepalive",
  ],
  [patched("CrashLoopBackOff", "1/1 observed pods failed; primary reason=CrashLoopBackOff"), "pod.start_failed", ID],
  [patched("ContainerFailed", "container sandbox exited with code 137 (OOMKilled)"), "pod.oom_killed", ID],
  [controller({ msg: "Patching BatchSandbox status", phase: "Succeed", patchData: "{}" }), null],
  [
    event(
      "FailedScheduling",
      "0/9 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.",
    ),
    "control.unschedulable",
    ID,
  ],
  [`2m14s (x5 over 10m)   Warning   Failed   pod/${ID}-0   Error: ErrImagePull`, "pod.image_pull", ID],
  [`osb   31s   Normal   Pulled   pod/${ID}-0   Successfully pulled image "oomkilled:1"`, null],
  [kubelet(INFO, '"Eviction manager: pod is evicted successfully" pod="osb/x-0"'), "pod.evicted"],
  [kubelet(INFO, '"Eviction manager: must evict pod(s) to reclaim" resourceName="memory"'), "node.pressure"],
  [kubelet(INFO, '"Eviction manager: attempting to reclaim" resourceName="ephemeral-storage"'), "node.disk_full"],
  [
    kubelet(INFO, '"Shutdown manager detected new shutdown event, isNodeShuttingDownNow" event="true"'),
    "node.shutdown",
  ],
  [`${INFO} "Node is unresponsive. Adding it to the Taint queue" node="n-5"`, "node.not_ready"],
  [`${INFO} "Deleting pod" controller="taint-eviction-controller" pod="osb/x-0"`, "pod.evicted"],
  [
    kubelet(INFO.replace("I", "E"), '"Error updating node status, will retry" err="error getting node"'),
    "node.not_ready",
  ],
  [
    answer(503, "upstream connect error or disconnect/reset before headers. reset reason: connection termination"),
    "gateway.stale_upstream",
    ID,
  ],
  [
    answer(503, "upstream connect error or disconnect/reset before headers. reset reason: remote connection failure"),
    "gateway.connect_failed",
    ID,
  ],
  [
    answer(503, "upstream connect error or disconnect/reset before headers. reset reason: overflow"),
    "gateway.unavailable",
    ID,
  ],
  [
    `[2026-10-21T06:11:00.123Z] "POST /sandboxes/${ID}/proxy/44772/command HTTP/1.1" 503 UF upstream_reset_before_response_started{connection_failure} - "-" 10 95 1 - "10.2.0.9" "httpx" "q1" "osb" "10.244.3.84:8080" outbound|80||osb - 10.1.1.1:80 10.2.0.9:5000 - default`,
    "gateway.connect_failed",
    ID,
  ],
  [
    `[2026-10-21T06:11:00.123Z] "POST /sandboxes/${ID}/proxy/44772/command HTTP/1.1" 503 UC 10 95 1 - "10.2.0.9" "httpx" "q1" "osb" "10.244.3.84:8080"`,
    "gateway.stale_upstream",
    ID,
  ],
  [ray("[task-1] agent exit 1: curl: (7) Connection refused, 502 Bad Gateway"), null],
  [ray("[task-1] eval exit 1: OOMKilled and ErrImagePull in the names of tests"), null],
  [ray("openclaw exited 1: Server disconnected without sending a response"), null],
  [ray("openclaw received SIGTERM; salvaging partial session"), "harness.worker_died"],
  [ray("[pinchbench-kill_shaped] task-1: rc=-9"), "harness.worker_died"],
  ["(raylet) A worker died or was killed while executing a task by an unexpected system error.", "harness.worker_died"],
  [
    "(raylet) The node with node id: a has been marked dead because the detector has missed too many heartbeats",
    "node.not_ready",
  ],
  [
    gym({ status: "error", grading_notes: "run failed: rc=-9", raw_rollout: { non_clean_exit_rc: -9 } }),
    "harness.worker_died",
  ],
  [
    JSON.stringify({
      example_id: 1,
      task: "t",
      reward: 0,
      error: { error: "SandboxError", error_chain_repr: "SandboxError -> SandboxNotReadyError", error_chain_str: "x" },
      is_completed: true,
    }),
    "control.ready_check_failed",
  ],
];

test.each(ROWS)("%s", async (line, classes, sandbox) => {
  const store = await openMemory();
  await send(store, `${line}\n`);
  const found = (await incidents(store)).filter((one) => one.partOf === null && one.family !== "none");
  const rows = await rollouts(store);
  await store.close();
  const seen = new Set([
    ...found.map((one) => one.class),
    ...rows.flatMap((row) => (row.verdict === "infra_failed" ? (row.class ?? []) : [])),
  ]);
  expect([...seen].join()).toBe(classes ?? "");
  if (sandbox) expect(found.map((one) => one.sandbox)).toContain(sandbox);
});

test("a wide table of events names the machine", async () => {
  const store = await openMemory();
  const head = "LAST SEEN   TYPE      REASON    OBJECT    SUBOBJECT                  SOURCE         MESSAGE";
  const row = `5m          Warning   BackOff   pod/x-0   spec.containers{sandbox}   kubelet, n-3   Back-off pulling image "r/x:1"`;
  await send(store, `${head}\n${row}\n`);
  const found = await incidents(store);
  await store.close();
  expect(found).toMatchObject([{ class: "pod.image_pull", node: "n-3", pod: "x-0", firstAt: null }]);
});

test("a log line with an offset and a level is no machine's line", async () => {
  const store = await openMemory();
  await send(store, "2026-07-17T02:00:00+00:00 ERROR supervisor: Connection reset by peer\n");
  const found = await incidents(store);
  await store.close();
  expect(found).toMatchObject([{ class: "transport.connection_reset", node: null }]);
});

test("the kernel's two lines about one kill are one, and about the pod that the first names", async () => {
  const store = await openMemory();
  const pod = "22222222_2222_4222_8222_222222222222";
  const chosen = `oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/kubepods/pod${pod},task=pytest,pid=991,uid=0`;
  const lines = [
    chosen,
    "Memory cgroup out of memory: Killed process 991 (pytest)",
    "Memory cgroup out of memory: Killed process 7 (x)",
  ];
  await send(store, lines.map((line, i) => `[  12.00000${i}] ${line}\n`).join(""));
  const found = await incidents(store);
  await store.close();
  expect(found.map((one) => [one.class, one.subject.kind]).sort()).toEqual([
    ["pod.oom_process", "pod"],
    ["pod.oom_process", "stream"],
  ]);
});
