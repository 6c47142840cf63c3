import { digitsOf, idOf } from "./chance";
import type { DemoPlan, DemoRollout, DemoSandbox } from "./plan-run";

const NAMESPACE = "opensandbox";
const IMAGE = "registry.example.com/swe/task:1";

export function podName(sandbox: DemoSandbox): string {
  return `${sandbox.id}-0`;
}

/** The labels that the server and the harness put on a sandbox's pod. */
export function podLabels(plan: DemoPlan, sandbox: DemoSandbox): Record<string, string> {
  return {
    "opensandbox.io/id": sandbox.id,
    "batch-sandbox.sandbox.opensandbox.io/name": sandbox.id,
    "nemo-gym.nvidia.com/run": plan.run.id,
    instance_id: sandbox.task,
  };
}

/** Kubernetes writes whole seconds. */
function seconds(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace(".000Z", "Z");
}

function containerStatus(sandbox: DemoSandbox, rollout: DemoRollout | null): Record<string, unknown> {
  const containerID = `containerd://${digitsOf(sandbox.id, 64)}`;
  const base = { name: "sandbox", image: IMAGE, restartCount: 0, lastState: {}, containerID };
  const startedAt = seconds(sandbox.readyAt - 1_000);
  if (rollout?.fault !== "oom") return { ...base, ready: true, state: { running: { startedAt } } };
  const finishedAt = seconds(rollout.endedAt - 2_000);
  const terminated = { exitCode: 137, reason: "OOMKilled", startedAt, finishedAt, containerID };
  return { ...base, ready: false, state: { terminated } };
}

function statusOf(sandbox: DemoSandbox, rollout: DemoRollout | null): Record<string, unknown> {
  const place = { podIP: sandbox.podIp, startTime: seconds(sandbox.createdAt + 1_000), qosClass: "Burstable" };
  if (rollout?.fault === "evicted") {
    const message = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 61Mi. ";
    return { ...place, phase: "Failed", reason: "Evicted", message };
  }
  const conditions = [
    { type: "PodScheduled", status: "True", lastTransitionTime: seconds(sandbox.createdAt + 1_000) },
    {
      type: "Ready",
      status: rollout?.fault === "oom" ? "False" : "True",
      lastTransitionTime: seconds(sandbox.readyAt),
    },
  ];
  const phase = rollout?.fault === "oom" ? "Failed" : "Running";
  return { ...place, phase, conditions, containerStatuses: [containerStatus(sandbox, rollout)] };
}

function pod(plan: DemoPlan, sandbox: DemoSandbox, rollout: DemoRollout | null): unknown {
  const resources = {
    limits: { cpu: "2", memory: `${plan.run.memoryLimitMib / 1024}Gi` },
    requests: { cpu: "2", memory: "2Gi" },
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName(sandbox),
      namespace: NAMESPACE,
      uid: sandbox.podUid,
      labels: podLabels(plan, sandbox),
      creationTimestamp: seconds(sandbox.createdAt),
    },
    spec: {
      nodeName: sandbox.node,
      restartPolicy: "Never",
      containers: [{ name: "sandbox", image: IMAGE, resources }],
    },
    status: statusOf(sandbox, rollout),
  };
}

/** `kubectl get pods -o json` of a run's sandboxes: of those that did well too, so that nodes are known for all alike. */
export function podList(plan: DemoPlan): string {
  const own = plan.rollouts.flatMap((rollout) => (rollout.sandbox ? [pod(plan, rollout.sandbox, rollout)] : []));
  const items = [...own, ...plan.verifiers.map((sandbox) => pod(plan, sandbox, null))];
  return `${JSON.stringify({ apiVersion: "v1", kind: "List", metadata: { resourceVersion: "" }, items }, null, 1)}\n`;
}

function event(sandbox: DemoSandbox, at: number, what: { type: string; reason: string; message: string }): unknown {
  const name = podName(sandbox);
  const uid = idOf(`${sandbox.id}/${what.reason}`);
  const time = seconds(at);
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${digitsOf(uid, 16)}`, namespace: NAMESPACE, uid, creationTimestamp: time },
    involvedObject: { kind: "Pod", name, namespace: NAMESPACE, uid: sandbox.podUid },
    ...what,
    source: { component: "kubelet", host: sandbox.node },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    reportingComponent: "kubelet",
    reportingInstance: sandbox.node,
  };
}

/** `kubectl get events -o json`: images pulled, containers started, and the evictions. */
export function eventList(plan: DemoPlan): string {
  const items = plan.rollouts.flatMap(({ sandbox, fault, endedAt }) => {
    if (sandbox === null) return [];
    const pulled = {
      type: "Normal",
      reason: "Pulled",
      message: `Container image "${IMAGE}" already present on machine`,
    };
    const started = { type: "Normal", reason: "Started", message: "Started container sandbox" };
    const evicted = { type: "Warning", reason: "Evicted", message: "The node was low on resource: memory." };
    return [
      event(sandbox, sandbox.readyAt - 3_000, pulled),
      event(sandbox, sandbox.readyAt - 1_000, started),
      ...(fault === "evicted" ? [event(sandbox, endedAt - 15_000, evicted)] : []),
    ];
  });
  return `${JSON.stringify({ apiVersion: "v1", kind: "List", metadata: { resourceVersion: "" }, items }, null, 1)}\n`;
}
