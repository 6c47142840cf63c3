/** The machine under the pods: lost, under pressure, shut down. */
import type { Rule } from "../rule";
import { agentSaid, condition, event, harness, kernel, record, runtime, server } from "./examples";

export const NODE: readonly Rule[] = [
  {
    id: "node.shutdown",
    class: "node.shutdown",
    when: [
      {
        layer: "kubernetes",
        kind: ["event", "pod_status", "condition"],
        reason:
          /^(NodeShutdown|Shutdown|Terminated|TerminationByKubelet|PreemptScheduled|TerminateScheduled|FreezeScheduled|RebootScheduled|SpotInterruption|InstanceStopping|Rebooted|GracefulNodeShutdown|NodeTerminating)$/,
      },
      {
        layer: ["kubernetes", "runtime", "record", "harness"],
        message:
          /imminent node shutdown|Pod was terminated in response to|in response to node (?:graceful )?shutdown|[Ss]pot (?:instance )?(?:interruption|termination|preemption)|node is shutting down|Shutdown manager detected new shutdown event|Your Spot Task was interrupted/,
      },
    ],
    unless: [{ finishedStatus: ["False", "Unknown"] }],
    confidence: "certain",
    why: "The machine was taken away or restarted.",
    yes: [
      {
        layer: "kubernetes",
        kind: "pod_status",
        reason: "Terminated",
        message: "Pod was terminated in response to imminent node shutdown.",
      },
      event("Rebooted", "Node n-4 has been rebooted, boot id: 1"),
    ],
    no: [event("Killing", "Stopping container sandbox"), agentSaid("spot interruption")],
  },
  {
    id: "node.not_ready_condition",
    class: "node.not_ready",
    when: [
      { layer: "kubernetes", kind: "condition", reason: "Ready", finishedStatus: ["False", "Unknown"] },
      {
        layer: "kubernetes",
        kind: "condition",
        reason: /^(NetworkUnavailable|KernelDeadlock|ReadonlyFilesystem)$/,
        finishedStatus: "True",
      },
    ],
    confidence: "certain",
    why: "The node's own condition says that it cannot run pods.",
    yes: [condition("Ready", "False"), condition("Ready", "Unknown")],
    no: [condition("Ready", "True"), condition("MemoryPressure", "False")],
  },
  {
    id: "node.not_ready",
    class: "node.not_ready",
    when: [
      {
        layer: "kubernetes",
        kind: ["event", "pod_status"],
        reason: /^(NodeNotReady|NodeLost|NodeUnreachable|KubeletNotReady|NodeStatusUnknown)$/,
      },
      {
        layer: ["kubernetes", "runtime", "server", "harness", "record"],
        message:
          /Recording NodeNotReady event|Node became not ready|NodeNotReady\b|PLEG is not healthy|container runtime is down|Unable to update node status|Kubelet stopped posting node status|node\.kubernetes\.io\/(?:unreachable|not-ready)|Node is not ready|Node is unresponsive\. Adding it to the Taint queue|Update ready status of pods on node|marked dead because the detector has missed too many heartbeats/,
      },
    ],
    // The scheduler lists the taints of machines that it passed over.
    unless: [
      { message: /Recording NodeReady event/ },
      { reason: "FailedScheduling" },
      { message: /nodes are available/ },
    ],
    confidence: "certain",
    why: "Kubelet or controller says that the node is not ready.",
    yes: [
      event("NodeNotReady", "Node gke-n9 status is now: NodeNotReady"),
      runtime("Recording NodeNotReady event message for node gke-n7", { level: "info" }),
      runtime('"Node is unresponsive. Adding it to the Taint queue" node="n-5"', { level: "info" }),
      runtime('"Skipping pod synchronization" err="container runtime is down"'),
      runtime('"Unable to update node status" err="update node status exceeds retry count"'),
      runtime("skipping pod synchronization - [PLEG is not healthy: pleg was last seen active 3m14.0s ago]"),
    ],
    no: [
      runtime("Recording NodeReady event message for node gke-n7", { level: "info" }),
      agentSaid("NodeNotReady"),
      event(
        "FailedScheduling",
        "0/9 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/unreachable: }",
      ),
    ],
  },
  {
    id: "node.kubelet_unreachable",
    class: "node.not_ready",
    when: [
      {
        layer: ["harness", "record", "server", "kubernetes", "runtime", "canary"],
        message:
          /:10250\b.{0,200}(?:connection refused|i\/o timeout|no route to host|connect: |EOF|deadline exceeded|timed out)/,
      },
    ],
    unless: [{ kind: "exec_log" }],
    subCause: "kubelet_unreachable",
    confidence: "likely",
    why: "Port 10250 is the kubelet: exec and logs through the API could not reach the node's agent.",
    yes: [
      server("error dialing backend: dial tcp 10.0.0.5:10250: connect: connection refused"),
      harness("Error from server: Get https://10.0.0.5:10250/containerLogs/x: dial tcp 10.0.0.5:10250: i/o timeout"),
    ],
    no: [harness("dial tcp 10.0.0.5:44772: connect: connection refused"), record("10250 tokens")],
  },
  {
    id: "node.status_not_sent",
    class: "node.not_ready",
    when: [
      {
        layer: "runtime",
        message:
          /Error updating node status, will retry|Unable to update node status|Failed to (?:update|ensure) (?:node )?lease/,
      },
    ],
    subCause: "status_not_sent",
    confidence: "possible",
    why: "The kubelet could not tell the cluster that it lives; after some of that its node counts as lost.",
    yes: [runtime('"Error updating node status, will retry" err="error getting node"')],
    no: [runtime("Updated node status", { level: "info" })],
  },
  {
    id: "node.pressure",
    class: "node.pressure",
    when: [
      { layer: "kubernetes", kind: "condition", reason: "MemoryPressure", finishedStatus: "True" },
      { layer: "kubernetes", kind: "condition", reason: "PIDPressure", finishedStatus: "True" },
      {
        layer: "kubernetes",
        kind: "event",
        reason: /^(EvictionThresholdMet|NodeHasInsufficientMemory|NodeHasInsufficientPID)$/,
      },
      { layer: "runtime", message: /[Ee]viction manager: (?:attempting to reclaim|must evict)/ },
      {
        layer: "kernel",
        message:
          /nf_conntrack: .{0,60}table full|neighbou?r table overflow|soft lockup|blocked for more than \d+ seconds|page allocation failure/,
      },
    ],
    // A disk is told apart: its class is node.disk_full.
    unless: [
      {
        message:
          /[Rr]eclaim(?:ing)? (?:ephemeral-storage|inodes)|resourceName="(?:ephemeral-storage|nodefs|imagefs|inodes)/,
      },
    ],
    confidence: "certain",
    why: "The machine ran short of memory, process ids or kernel tables while pods ran on it.",
    yes: [
      condition("MemoryPressure", "True"),
      event("EvictionThresholdMet", "Attempting to reclaim memory"),
      kernel("nf_conntrack: nf_conntrack: table full, dropping packet"),
    ],
    no: [condition("MemoryPressure", "False"), kernel("eth0: link becomes ready")],
  },
];
