/**
 * Typed evidence: what a format read out of one record, without judgement.
 * A field that the record does not have is left out; it never satisfies a rule's predicate.
 */

/** Where the text sits decides what it may prove (taxonomy.md §2). `agent` text is never infra evidence. */
export const LAYERS = [
  "record", // a typed field of a rollout record
  "harness", // the harness's or its sandbox provider's own log line
  "server", // the sandbox API server
  "execd", // the exec daemon in the sandbox
  "gateway", // a balancer or ingress in front
  "runtime", // containerd, kubelet, CNI
  "kubernetes", // object status and events
  "kernel",
  "canary",
  "agent", // console, tool output, tests, patches
] as const;
export type Layer = (typeof LAYERS)[number];

export const EVIDENCE_KINDS = [
  "error", // something failed and this is the report of it
  "retry", // failed, and will be tried again
  "success", // an operation went well (ends a fold, makes earlier failures absorbed)
  "finished", // a harness's own attempt ended
  "http", // one HTTP answer, with its status and body
  "access", // one access line of a server or gateway
  "exit", // a command ended with an exit code
  "exec_event", // execd sent an error event (OnExecuteError) to its client
  "exec_log", // execd's own line about a command
  "container_end", // a container terminated, with exit code and reason
  "pod_status", // a pod's phase and reason
  "event", // a Kubernetes event
  "condition", // a node's or pod's condition
  "lifecycle", // created, running, deleted
  "counter", // a cumulative counter
  "probe", // one canary probe
  "line", // a line that no format could type further
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** What was being done: create and wait for ready, set up, run a command, move files, verify, tear down. */
export const PHASES = ["create", "setup", "exec", "files", "verify", "teardown"] as const;
export type Phase = (typeof PHASES)[number];

export interface Evidence {
  layer: Layer;
  kind: EvidenceKind;
  /** The message judged: ANSI stripped, unescaped once, ≤ 4 000 characters. */
  message?: string;
  level?: "debug" | "info" | "warn" | "error" | "fatal";
  logger?: string;
  phase?: Phase;
  /** Innermost exception class of a chained traceback or typed error, e.g. `RemoteProtocolError`. */
  errorType?: string;
  /** All exception classes of the chain, innermost first. */
  errorChain?: string[];
  /** A producer's own word for the failure: `_ng_failure_class`, `error_kind`, `error_type`, `exit_status`. */
  producerClass?: string;
  /** Machine code of an error body, e.g. `BACKEND_CONNECTION_FAILED`. */
  code?: string;
  status?: number;
  method?: string;
  path?: string;
  port?: number;
  /** The `server:` header of an HTTP answer. */
  serverHeader?: string;
  /** `host:port` of the peer, where the text names it. */
  peer?: string;
  operation?: string;
  /** Id that ties the tries of one operation together: request id, step, retry counter. */
  operationId?: string;
  attempt?: number;
  maxAttempts?: number;
  reusedSocket?: boolean;
  idleMs?: number;
  /** Known to the sender alone: the exec daemon had (or had not) answered it before this. */
  daemonAnswered?: boolean;
  bytesRead?: number;
  exitCode?: number;
  signal?: string;
  durationMs?: number;
  timeoutMs?: number;
  /** Kubernetes reason of an event, container state or condition. */
  reason?: string;
  container?: string;
  /** True for the sandbox container (named `sandbox`, else the first), false for a sidecar. */
  mainContainer?: boolean;
  restartCount?: number;
  /** The pod carries a deletionTimestamp. */
  deleting?: boolean;
  /** Times an aggregated event or counter stands for. */
  count?: number;
  /** cgroup `memory.events` counters. */
  memoryMaxEvents?: number;
  memoryOomEvents?: number;
  memoryOomKills?: number;
  /** Finished attempts: the producer's word on how it ended. */
  finishedStatus?: string;
  /** More of the same may have happened than was written (sampling, folding). */
  sampled?: boolean;
}
