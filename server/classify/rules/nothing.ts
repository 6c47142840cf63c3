/** What reads like a failure and is none: recognised first, so that no later rule takes it for one. */
import type { Rule } from "../rule";
import {
  agentSaid,
  CLIENT,
  CLUSTER,
  event,
  execd,
  execLog,
  harness,
  kernel,
  record,
  runtime,
  server,
} from "./examples";

/** Kubernetes warnings that repeat on healthy clusters and end no sandbox. */
const BENIGN_REASON =
  /^(DNSConfigForming|FailedToRetrieveImagePullSecret|InvalidDiskCapacity|SandboxChanged|PodEvicted|FailedToUpdateEndpoint(?:Slices)?|FailedPreStopHook|ExceededGracePeriod|ProbeWarning|NodeNotSchedulable|ContainerGCFailed|MissingClusterDNS|AlreadyMountedVolume|TooManyActivePods|CIDRNotAvailable|Unsupported|FailedNodeAllocatableEnforcement|CheckLimitsForResolvConf|OwnerRefInvalidNamespace|RecreatingFailedPod)$/;

export const NOTHING: readonly Rule[] = [
  {
    id: "nothing.execd_access",
    class: null,
    when: [{ layer: "execd", message: /^(?:received command|Requested): / }],
    confidence: "certain",
    why: "execd repeats the command or URL it was given: any words in it are the agent's.",
    yes: [execd("received command: echo 'no space left on device'", { kind: "exec_log", level: "info" })],
    no: [execd("failed to sync target file: no space left on device")],
  },
  {
    id: "nothing.execd_routine",
    class: null,
    when: [
      {
        layer: "execd",
        message:
          /^(?:Attempting to terminate process group|Process group \d+ |OpenTelemetry metrics disabled|context cancelled, try to interrupt)/,
      },
    ],
    confidence: "certain",
    why: "execd ends commands it was told to end, and runs on without telemetry.",
    yes: [execLog("Process group 31 did not exit after SIGTERM, escalating to SIGKILL", { level: "warn" })],
    no: [execLog("failed to start execd server: address in use")],
  },
  {
    id: "nothing.watch_expired",
    class: null,
    when: [
      {
        layer: CLUSTER,
        message:
          /watch error: \(410\)|\b410\b.{0,60}(?:Gone|Expired)|too old resource version|informer cache is stale|watch .{0,120}(?:ended|closed) with: (?:too old|very short watch)/i,
      },
    ],
    confidence: "certain",
    why: "A Kubernetes watch expires by design and is opened again; no sandbox notices.",
    yes: [
      server("Informer watch error: (410)", { kind: "line", level: "warn" }),
      server("too old resource version: 88120 (88431)"),
    ],
    no: [server("Informer watch error: (500)")],
  },
  {
    id: "nothing.already_deleted",
    class: null,
    when: [
      {
        layer: CLIENT,
        operation: /^(kill|close|delete|stop)\b/i,
        message: /\bnot found\b|NOT_FOUND|already (?:deleted|gone)|No such container|HTTP 404|\b404\b/i,
      },
      {
        layer: [...CLIENT, "server"],
        phase: "teardown",
        message: /\bnot found\b|NOT_FOUND|already (?:deleted|gone)|No such container|HTTP 404/i,
      },
      { layer: "server", kind: "access", method: "DELETE", status: [404, 409] },
    ],
    unless: [{ message: /was already deleted during close/ }],
    confidence: "certain",
    why: "Deleting what is already gone reaches its aim.",
    yes: [
      harness("Sandbox 23fbfa2d not found", { kind: "retry", operation: "kill", phase: "teardown" }),
      { layer: "server", kind: "access", method: "DELETE", path: "/v1/sandboxes/a", status: 404 },
    ],
    no: [
      harness("Sandbox 23fbfa2d not found", { operation: "command run" }),
      harness("Failed to kill container b: timed out after 10 seconds", { phase: "teardown" }),
    ],
  },
  {
    id: "nothing.cancelled",
    class: null,
    when: [
      { layer: CLIENT, errorType: /^(CancelledError|Cancelled|KeyboardInterrupt)$/ },
      { layer: "record", message: /^(?:CancelledError|Cancelled)\b/ },
      { layer: "record", producerClass: ["CancelledError", "cancelled", "skipped"] },
    ],
    confidence: "likely",
    why: "Somebody stopped the run: that is no failure of anything.",
    yes: [record("CancelledError()", { errorType: "CancelledError" }), record("", { producerClass: "skipped" })],
    no: [record("TimeoutError()", { errorType: "TimeoutError" })],
  },
  {
    id: "nothing.taint_cancelled",
    class: null,
    when: [{ layer: CLUSTER, message: /Cancelling deletion of Pod/ }],
    confidence: "certain",
    why: "The taint went away in time: the pod stays.",
    yes: [event("TaintManagerEviction", "Cancelling deletion of Pod sandboxes/sbx-1-0")],
    no: [event("TaintManagerEviction", "Marking for deletion Pod sandboxes/sbx-1-0")],
  },
  {
    id: "nothing.benign_event",
    class: null,
    when: [{ layer: "kubernetes", kind: "event", reason: BENIGN_REASON }],
    confidence: "likely",
    why: "A warning that healthy clusters show, or the pool controller's own tidying.",
    yes: [
      event("SandboxChanged", "Pod sandbox changed, it will be killed and re-created."),
      event("PodEvicted", "Evicted idle pool pod warm-a-3"),
    ],
    no: [event("Evicted", "The node was low on resource: memory.")],
  },
  {
    id: "nothing.runtime_tidying",
    class: null,
    when: [
      { layer: "runtime", message: /^cleaning up after shim disconnected|shim disconnected|cleaning up dead shim/ },
      { layer: "kernel", message: /oom_reaper: reaped|invoked oom-killer|\[ *pid *\] +uid/ },
      { layer: ["gateway", "server"], message: /TLS handshake error from .{1,80}: EOF|closed keepalive connection/ },
    ],
    confidence: "likely",
    why: "A line beside the one that reports the fault, or a port scan that hung up.",
    yes: [
      runtime("cleaning up after shim disconnected", { level: "warn" }),
      kernel("python3 invoked oom-killer: gfp_mask=0xcc0, order=0"),
    ],
    no: [
      runtime('StartContainer for "16ad" failed: failed to create shim task'),
      kernel("Memory cgroup out of memory: Killed process 991 (python3)"),
      agentSaid("shim disconnected"),
    ],
  },
];
