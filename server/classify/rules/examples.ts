/** Short ways to write a rule's examples, and the layers that rules name often. */
import type { Evidence, Layer } from "@/server/domain/evidence";

type More = Partial<Evidence>;

/** Who talks to the sandbox API: the harness, its records, our own canary. */
export const CLIENT: readonly Layer[] = ["harness", "record", "canary"];
/** The control plane's and the cluster's own words. */
export const CLUSTER: readonly Layer[] = ["server", "kubernetes", "runtime"];
/** Everything but what the agent's own programs print. */
export const TOLD: readonly Layer[] = [
  "record",
  "harness",
  "server",
  "execd",
  "gateway",
  "runtime",
  "kubernetes",
  "kernel",
  "canary",
];

export const harness = (message: string, more: More = {}): Evidence => ({
  layer: "harness",
  kind: "error",
  message,
  ...more,
});
export const raised = (errorType: string, message: string, more: More = {}): Evidence =>
  harness(message, { errorType, errorChain: [errorType], ...more });
export const record = (message: string, more: More = {}): Evidence => ({
  layer: "record",
  kind: "error",
  message,
  ...more,
});
export const answered = (status: number, message?: string, more: More = {}): Evidence => ({
  layer: "harness",
  kind: "http",
  status,
  ...(message === undefined ? {} : { message }),
  ...more,
});
export const exited = (exitCode: number, more: More = {}): Evidence => ({
  layer: "harness",
  kind: "exit",
  exitCode,
  ...more,
});
export const server = (message: string, more: More = {}): Evidence => ({
  layer: "server",
  kind: "error",
  message,
  ...more,
});
export const access = (status: number, path: string, more: More = {}): Evidence => ({
  layer: "server",
  kind: "access",
  method: "POST",
  status,
  path,
  ...more,
});
export const gateway = (message: string, more: More = {}): Evidence => ({
  layer: "gateway",
  kind: "error",
  message,
  ...more,
});
export const gatewayAccess = (status: number, more: More = {}): Evidence => ({
  layer: "gateway",
  kind: "access",
  status,
  ...more,
});
export const execd = (message: string, more: More = {}): Evidence => ({
  layer: "execd",
  kind: "error",
  message,
  ...more,
});
export const execEvent = (message: string, more: More = {}): Evidence => ({
  layer: "execd",
  kind: "exec_event",
  message,
  ...more,
});
export const execLog = (message: string, more: More = {}): Evidence => ({
  layer: "execd",
  kind: "exec_log",
  message,
  level: "error",
  ...more,
});
export const event = (reason: string, message: string, more: More = {}): Evidence => ({
  layer: "kubernetes",
  kind: "event",
  reason,
  message,
  ...more,
});
export const ended = (exitCode: number, reason: string, more: More = {}): Evidence => ({
  layer: "kubernetes",
  kind: "container_end",
  exitCode,
  reason,
  container: "sandbox",
  mainContainer: true,
  ...more,
});
export const condition = (reason: string, finishedStatus: string): Evidence => ({
  layer: "kubernetes",
  kind: "condition",
  reason,
  finishedStatus,
});
export const kernel = (message: string): Evidence => ({ layer: "kernel", kind: "line", message });
export const runtime = (message: string, more: More = {}): Evidence => ({
  layer: "runtime",
  kind: "line",
  level: "error",
  message,
  ...more,
});
export const probe = (more: More): Evidence => ({ layer: "canary", kind: "probe", ...more });
/** What the agent's own programs print: the standard counter-example. */
export const agentSaid = (message: string): Evidence => ({ layer: "agent", kind: "line", message });
