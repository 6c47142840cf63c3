/** Pods that did not come up, or whose containers and disks gave way while they ran. */
import type { Rule } from "../rule";
import {
  agentSaid,
  CLUSTER,
  ended,
  event,
  execd,
  execEvent,
  execLog,
  harness,
  kernel,
  raised,
  record,
  runtime,
  server,
  TOLD,
} from "./examples";
import { DESCRIPTORS } from "./transport-tokens";

const CNI =
  /\bcni\b|failed to (?:set ?up|setup) (?:pod )?network|failed to assign an IP|putEndpointIdTooManyRequests|NetworkPluginNotReady|network plugin is not ready|no IP addresses available|IPAM|cni plugin not initialized|plugin type=\\?"[^"]{1,80}" failed \(add\)/i;
const SPAWN_EAGAIN =
  /(?:fork|exec|pthread_create|clone|starting commands|start(?:ing)? (?:new )?thread).{0,300}[Rr]esource temporarily unavailable|can't start new thread|fork rejected by pids controller|\bBlockingIOError: \[Errno 11\]|fork: retry: Resource temporarily unavailable/;

export const POD_START: readonly Rule[] = [
  {
    id: "client.binary_missing",
    class: "client.config",
    when: [
      {
        layer: ["harness", "record", "kubernetes", "runtime", "server"],
        message:
          /\b(?:swerex-remote|swerex|execd|bootstrap\.sh|tini|dumb-init)\b["']?: (?:command |executable file )?not found|exec: "[^"]{1,200}": (?:executable file not found|stat .{1,200}: no such file)/,
      },
    ],
    unless: [{ kind: "exec_log" }],
    confidence: "likely",
    why: "The image lacks the daemon or shell that the sandbox starts with: a mistake in the image, no flake.",
    yes: [
      harness("Failed on proj__delta-4004: swerex-remote: not found"),
      event("Failed", 'Error: failed to create containerd task: exec: "bash": executable file not found in $PATH'),
    ],
    no: [harness("Sandbox abc not found"), agentSaid("swerex-remote: not found")],
  },
  {
    id: "pod.network_setup",
    class: "pod.network_setup",
    when: [
      { layer: "kubernetes", kind: "event", reason: "FailedCreatePodSandBox", message: /\[429\]|TooManyRequests/ },
      { layer: "kubernetes", kind: "event", reason: "FailedCreatePodSandBox", message: CNI },
      { layer: "kubernetes", reason: /^(NetworkNotReady|FailedKillPodNetwork)$/ },
      { layer: "runtime", message: CNI },
      { layer: "server", code: /POD_NETWORK/ },
    ],
    confidence: "certain",
    why: "The network plugin gave the pod no address or interface.",
    yes: [
      event("FailedCreatePodSandBox", 'failed to setup network for sandbox "fc8f": plugin type="aws-cni" failed (add)'),
      event("FailedCreatePodSandBox", 'rpc error: plugin type="calico" failed (add): error getting ClusterInformation'),
      event("FailedCreatePodSandBox", 'plugin type="cilium-cni" failed (add): [429] putEndpointIdTooManyRequests'),
    ],
    no: [
      event("FailedCreatePodSandBox", "rpc error: code = DeadlineExceeded"),
      agentSaid("cni failed to assign an IP"),
    ],
  },
  {
    id: "pod.process_limit",
    class: "pod.process_limit",
    when: [
      { layer: TOLD, message: SPAWN_EAGAIN },
      {
        layer: "execd",
        kind: ["exec_event"],
        message: /^CommandExecError: .{0,300}[Rr]esource temporarily unavailable/,
      },
      { layer: ["server", "execd", "runtime", "gateway", "kernel"], message: DESCRIPTORS },
    ],
    confidence: "likely",
    why: "The sandbox, or the process that serves it, could not fork or open another descriptor.",
    yes: [
      execLog("CommandExecError: error starting commands: fork/exec /bin/bash: resource temporarily unavailable"),
      execEvent("CommandExecError: fork/exec /usr/bin/bash: resource temporarily unavailable"),
      server("fork/exec /bin/bash: resource temporarily unavailable"),
      server("Proxy accept error: Too many open files (os error 24)"),
      kernel("cgroup: fork rejected by pids controller in /kubepods.slice/pod1"),
    ],
    no: [
      execLog("CommandExecError: error starting commands: fork/exec /bin/zsh: no such file or directory"),
      harness("OSError: [Errno 24] Too many open files"),
      agentSaid("bash: fork: retry: Resource temporarily unavailable"),
    ],
  },
  {
    id: "node.disk_full",
    class: "node.disk_full",
    when: [
      { layer: "kubernetes", kind: "condition", reason: "DiskPressure", finishedStatus: "True" },
      {
        layer: "kubernetes",
        kind: "event",
        reason: /^(NodeHasDiskPressure|FreeDiskSpaceFailed|ImageGCFailed|KubeletHasDiskPressure)$/,
      },
      {
        layer: ["kubernetes", "runtime"],
        kind: ["event", "line"],
        message:
          /attempting to reclaim ephemeral-storage|NodeHasDiskPressure|eviction manager: .{0,120}(?:nodefs|imagefs|ephemeral-storage)/i,
      },
      { layer: ["runtime", "kernel"], message: /no space left on device|EXT4-fs .{0,80}(?:no free|ENOSPC)/i },
    ],
    confidence: "certain",
    why: "The machine's own disk ran short; pods on it are its victims.",
    yes: [
      event("NodeHasDiskPressure", "Node arm-03 status is now: NodeHasDiskPressure"),
      { layer: "kubernetes", kind: "condition", reason: "DiskPressure", finishedStatus: "True" },
    ],
    no: [
      { layer: "kubernetes", kind: "condition", reason: "DiskPressure", finishedStatus: "False" },
      event("NodeHasNoDiskPressure", "Node arm-03 status is now: NodeHasNoDiskPressure"),
    ],
  },
  {
    id: "pod.disk_full",
    class: "pod.disk_full",
    when: [
      {
        layer: ["harness", "record", "execd", "server", "kubernetes"],
        message:
          /No space left on device|\bENOSPC\b|\[Errno 28\]|Disk quota exceeded|ephemeral-storage (?:limit|usage|exceed)/i,
      },
      { layer: ["harness", "record", "server"], code: "ENOSPC" },
    ],
    unless: [{ reason: "FailedScheduling" }],
    confidence: "likely",
    why: "The sandbox's disk was full when its daemon or the harness wrote to it.",
    yes: [
      execd("failed to sync target file: no space left on device"),
      harness("write_file failed: [Errno 28] No space left on device", { phase: "files" }),
    ],
    no: [
      agentSaid("No space left on device"),
      exec28(),
      event("FailedScheduling", "0/3 nodes are available: 3 Insufficient ephemeral-storage"),
    ],
  },
  {
    id: "pod.start_failed_event",
    class: "pod.start_failed",
    when: [
      {
        layer: ["kubernetes", "server"],
        kind: ["event", "pod_status", "error"],
        reason:
          /^(FailedCreatePodSandBox|FailedMount|FailedAttachVolume|FailedMapVolume|FailedPostStartHook|CrashLoopBackOff|CreateContainerConfigError|CreateContainerError|RunContainerError|ContainerFailed|FailedPodSandBoxStatus)$/,
      },
      {
        layer: "kubernetes",
        kind: "event",
        reason: "Failed",
        message: /^Error: |failed to (?:create|start|generate)/i,
      },
      { layer: "kubernetes", kind: "event", reason: "BackOff", message: /restarting failed container/ },
      {
        kind: "container_end",
        reason:
          /^(StartError|ContainerCannotRun|CreateContainerConfigError|CreateContainerError|RunContainerError|CrashLoopBackOff)$/,
      },
      { layer: "kubernetes", kind: "condition", reason: "PodFailed", finishedStatus: "True" },
    ],
    confidence: "certain",
    why: "Kubernetes says that the container or its volumes did not come up.",
    yes: [
      event("Failed", "Error: context deadline exceeded"),
      event("BackOff", "Back-off restarting failed container sandbox"),
      ended(128, "StartError"),
      server("CrashLoopBackOff: 1/1 observed pods failed", { reason: "CrashLoopBackOff" }),
    ],
    no: [event("Failed", "Error: ErrImagePull"), ended(137, "Error")],
  },
  {
    id: "pod.start_failed_text",
    class: "pod.start_failed",
    when: [
      {
        layer: [...CLUSTER, "harness", "record"],
        message:
          /primary reason=(?:CrashLoopBackOff|CreateContainerConfigError|ContainerFailed)|failed to create shim task|(?:RunPodSandbox|StartContainer|CreateContainer)\b.{0,400}failed|failed to reserve (?:sandbox|container) name|Failed to create container|SANDBOX_(?:EXECD_)?START_FAILED|docker run failed|Command .{0,4}docker\W{1,4}run\b.{0,600}non-zero exit status 125|error creating overlay mount|apptainer instance start .{0,200}fail|failed to create pod sandbox|Unexpected error provisioning sandbox|Image build for .{1,80} failed/i,
      },
      { layer: "execd", message: /^(?:failed to listen on|failed to start execd server)/ },
      { code: /SANDBOX_(?:EXECD_)?START_FAILED|KUBERNETES::POD_FAILED/ },
      { layer: ["record", "harness"], errorType: /^(SandboxBuildFailedError|DeploymentStartupError)$/ },
    ],
    confidence: "certain",
    why: "The runtime, server or daemon reports that the container or the daemon in it did not start.",
    yes: [
      runtime('StartContainer for "16ad" failed: failed to create containerd task: failed to create shim task'),
      server("Failed to create container: 500 Server Error: error creating overlay mount: too many links"),
      raised("CalledProcessError", "Command '['docker', 'run', '-d', 'x']' returned non-zero exit status 125."),
      execd("failed to start execd server: listen tcp4 :44772: bind: address already in use"),
    ],
    no: [runtime('ExecSync for "8a09" failed: OCI runtime exec failed'), record("boom")],
  },
  {
    id: "pod.probe_failed",
    class: "pod.probe_failed",
    when: [
      { layer: "kubernetes", kind: "event", reason: "Unhealthy" },
      {
        layer: ["kubernetes", "runtime"],
        kind: ["event", "line", "error"],
        message:
          /"?Probe failed"?|(?:Liveness|Readiness|Startup) probe failed|failed (?:liveness|startup) probe, will be restarted/,
      },
    ],
    confidence: "certain",
    why: "The kubelet's own check of the pod did not pass.",
    yes: [
      event("Unhealthy", 'Readiness probe failed: Get "http://10.4.1.9:44772/ping": connection refused'),
      runtime('"Probe failed" probeType="Readiness" pod="sandboxes/sbx-n3-0"', { level: "warn" }),
    ],
    no: [event("Killing", "Stopping container sandbox")],
  },
];

/** The same words printed by a command. */
function exec28() {
  return {
    layer: "harness",
    kind: "exit",
    exitCode: 1,
    message: "OSError: [Errno 28] No space left on device",
  } as const;
}
