import { describe, expect, test } from "vitest";
import { incidents, openMemory, send } from "../../support/deliveries";

const SANDBOX = "3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa";
const POD = `${SANDBOX}-0`;
const LINE = JSON.stringify({
  level: "error",
  ts: "2026-10-21T09:33:50.771Z",
  msg: "CommandExecError: error starting commands: fork/exec /bin/bash: resource temporarily unavailable",
});
const KERNEL = "Memory cgroup out of memory: Killed process 991 (python3) total-vm:1000kB";
const KUBELET =
  'E1021 09:33:50.771000    1200 kubelet.go:2412] "Skipping pod synchronization" err="PLEG is not healthy"';
const AT = "2026-10-21T09:33:50.900Z";
const EVENT = {
  kind: "Event",
  metadata: { name: "e.1", namespace: "osb", uid: "ev-1" },
  involvedObject: { kind: "Pod", namespace: "osb", name: POD, uid: "pod-1" },
  reason: "Failed",
  message: "Error: ErrImagePull",
  type: "Warning",
  source: { component: "kubelet", host: "n-7" },
  lastTimestamp: AT,
};
const MICROSECONDS = `${Date.parse(AT) * 1000}`;
const kubernetes = { host: "n-7", labels: {}, namespace_name: "osb", pod_name: POD, container_name: "sandbox" };
const ecs = {
  node: { name: "n-7" },
  pod: { name: POD, uid: "pod-1" },
  namespace: "osb",
  container: { name: "sandbox" },
};
const resource = { type: "k8s_container", labels: { namespace_name: "osb", pod_name: POD, container_name: "sandbox" } };
const entry = {
  insertId: "i",
  timestamp: AT,
  resource,
  labels: { "compute.googleapis.com/resource_name": "n-7", "k8s-pod/opensandbox_io/id": SANDBOX },
};

async function foundIn(body: unknown) {
  const store = await openMemory();
  await send(store, typeof body === "string" ? body : JSON.stringify(body));
  const found = await incidents(store);
  await store.close();
  return found.map((one) => ({ class: one.class, sandbox: one.sandbox, node: one.node, at: one.firstAt }));
}

describe("a pod's line is about the same sandbox, node and time from", () => {
  test.each<[string, unknown]>([
    ["Fluent Bit with its keys sorted", { "@timestamp": AT, message: LINE, kubernetes }],
    ["Fluent Bit's forward protocol", [1792575230.9, { log: LINE, stream: "stdout", kubernetes }]],
    ["Fluent Bit's standard output", `kube.x: [1792575230.9, ${JSON.stringify({ log: LINE, kubernetes })}]`],
    ["Filebeat", { "@timestamp": AT, message: LINE, stream: "stdout", kubernetes: ecs }],
    ["a search hit", { _index: "l", _source: { "@timestamp": AT, message: LINE, kubernetes: ecs } }],
    [
      "a flattened export",
      { "@timestamp": AT, message: LINE, "kubernetes.pod.name": POD, "kubernetes.node.name": "n-7" },
    ],
    ["Google's text", { textPayload: LINE, ...entry }],
    ["Google's JSON", { jsonPayload: JSON.parse(LINE), ...entry }],
    ["a list of Google's entries", [{ textPayload: LINE, ...entry }]],
    ["stern", { message: LINE, nodeName: "n-7", namespace: "osb", podName: POD, containerName: "sandbox" }],
    [
      "CloudWatch",
      {
        logGroup: "g",
        logStream: "s",
        logEvents: [{ id: "1", timestamp: 1792575230900, message: JSON.stringify({ log: LINE, kubernetes }) }],
      },
    ],
  ])("%s", async (_, body) => {
    expect(await foundIn(body)).toEqual([
      { class: "pod.process_limit", sandbox: SANDBOX, node: "n-7", at: Date.parse("2026-10-21T09:33:50.771Z") },
    ]);
  });

  test("stern's text, which knows no machine", async () => {
    expect(await foundIn(`${POD} sandbox ${LINE}`)).toMatchObject([{ class: "pod.process_limit", sandbox: SANDBOX }]);
  });
});

describe("a machine's kernel line is about that machine from", () => {
  test.each<[string, unknown]>([
    ["journalctl", { __REALTIME_TIMESTAMP: MICROSECONDS, _HOSTNAME: "n-7", _TRANSPORT: "kernel", MESSAGE: KERNEL }],
    [
      "journalctl in bytes",
      {
        __REALTIME_TIMESTAMP: MICROSECONDS,
        _HOSTNAME: "n-7",
        SYSLOG_IDENTIFIER: "kernel",
        MESSAGE: [...Buffer.from(KERNEL)],
      },
    ],
    ["Fluent Bit", { date: 1792575230.9, _HOSTNAME: "n-7", SYSLOG_IDENTIFIER: "kernel", MESSAGE: KERNEL }],
    ["Vector", { host: "n-7", message: KERNEL, source_type: "journald", timestamp: AT, SYSLOG_IDENTIFIER: "kernel" }],
    ["Filebeat", { "@timestamp": AT, message: KERNEL, host: { name: "n-7" }, syslog: { identifier: "kernel" } }],
    ["a syslog parser", { date: 1792575230.9, ident: "kernel", host: "n-7", message: KERNEL }],
    [
      "Loki",
      { streams: [{ stream: { nodename: "n-7", transport: "kernel" }, values: [[`${MICROSECONDS}000`, KERNEL]] }] },
    ],
    ["RFC 5424", `<3>1 ${AT} n-7 kernel - - - ${KERNEL}`],
    ["rsyslog", `<3>${AT} n-7 kernel: ${KERNEL}`],
  ])("%s", async (_, body) => {
    expect(await foundIn(body)).toEqual([{ class: "pod.oom_process", sandbox: null, node: "n-7", at: Date.parse(AT) }]);
  });

  test("dmesg -T, dated by the machine's clock", async () => {
    const found = await foundIn(`[Wed Oct 21 09:33:50 2026] ${KERNEL}`);
    expect(found).toMatchObject([{ class: "pod.oom_process", at: Date.parse("2026-10-21T09:33:50Z") }]);
  });

  test("a journal's kubelet has its own format", async () => {
    const record = { __REALTIME_TIMESTAMP: MICROSECONDS, _HOSTNAME: "n-7", _SYSTEMD_UNIT: "kubelet.service" };
    expect(await foundIn({ ...record, MESSAGE: KUBELET })).toMatchObject([{ class: "node.not_ready", node: "n-7" }]);
  });
});

describe("an event is about its pod from", () => {
  test.each<[string, unknown]>([
    ["an event router", { verb: "ADDED", event: EVENT, old_event: null }],
    ["Google", { jsonPayload: EVENT, ...entry, resource: { type: "k8s_pod", labels: { pod_name: POD } } }],
    [
      "Metricbeat",
      {
        "@timestamp": AT,
        message: EVENT.message,
        kubernetes: {
          event: {
            involved_object: EVENT.involvedObject,
            reason: "Failed",
            type: "Warning",
            source: EVENT.source,
            metadata: { uid: "ev-1" },
          },
        },
      },
    ],
  ])("%s", async (_, body) => {
    expect(await foundIn(body)).toEqual([
      { class: "pod.image_pull", sandbox: SANDBOX, node: "n-7", at: Date.parse(AT) },
    ]);
  });
});
