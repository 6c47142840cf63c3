/**
 * The classes of failure: ids are a contract of API, charts and users' scripts. Add ids, never rename one.
 * Each says who must act and how its repeats fold into one incident.
 */

import type { ClassId, Family, Owner } from "@/server/domain/taxonomy-words";
import type { Fold } from "./rule";

export interface ClassInfo {
  id: ClassId;
  title: string;
  family: Family;
  owner: Owner;
  /** Counts as infrastructure: family other than `none`, and not one of the three that are counted apart. */
  infra: boolean;
  fold: Fold;
}

const MINUTE = 60_000;

/** Tries tied by a request id, a step or a retry counter; equal lines that nothing ties stay separate failures. */
const OPERATION: Fold = { by: "operation", gapMs: MINUTE };
/** Tries of one create: each waits a minute or more for ready, then backs off. */
const CREATE: Fold = { by: "operation", gapMs: 15 * MINUTE };
const STREAM: Fold = { by: "stream", gapMs: MINUTE };
const SUBJECT: Fold = { by: "subject", gapMs: MINUTE };
/** Kubernetes says it at once, the harness when its retries are spent. */
const DEATH: Fold = { by: "subject", gapMs: 5 * MINUTE };
/** A state of the thing that many lines report until it changes. */
const STATE: Fold = { by: "subject", gapMs: 10 * MINUTE };
/** It happens once in the life of a thing, however often it is reported. */
const ONCE: Fold = { by: "subject", gapMs: Number.POSITIVE_INFINITY };
const NONE: Fold = { by: "none", gapMs: 0 };

/** Shown, but counted apart from infrastructure. */
const COUNTED_APART: readonly ClassId[] = ["unknown", "harness.bug", "harness.missing"];

type Row = readonly [id: ClassId, title: string, family: Family, owner: Owner, fold: Fold];

const ROWS: readonly Row[] = [
  [
    "transport.stale_keepalive",
    "Reused a connection that the peer had closed",
    "disconnect",
    "client config",
    OPERATION,
  ],
  ["transport.connection_reset", "Connection reset or broken pipe", "disconnect", "infra", OPERATION],
  ["transport.stream_truncated", "Answer cut before its end", "disconnect", "infra", OPERATION],
  ["transport.client_left", "The client went away", "disconnect", "client", STREAM],
  ["transport.connect_refused", "Nothing listens there", "disconnect", "infra", OPERATION],
  ["transport.connect_timeout", "TCP connect timed out", "disconnect", "infra", OPERATION],
  ["transport.request_timeout", "Client deadline passed", "disconnect", "infra", OPERATION],
  ["transport.pool_exhausted", "Client out of connections or descriptors", "disconnect", "client config", SUBJECT],
  ["transport.dns", "Name lookup failed", "disconnect", "infra", OPERATION],
  ["transport.tls", "TLS failed", "disconnect", "infra", OPERATION],
  ["gateway.bad_gateway", "A balancer in front said 502", "proxy", "infra", OPERATION],
  ["gateway.connect_failed", "A balancer could not connect to its upstream", "proxy", "infra", OPERATION],
  ["gateway.timeout", "A balancer said 504", "proxy", "infra", OPERATION],
  ["gateway.unavailable", "A balancer said 503", "proxy", "infra", OPERATION],
  ["gateway.stale_upstream", "A balancer reused a dead upstream socket", "proxy", "infra", OPERATION],
  ["gateway.client_left", "The client left the balancer waiting", "proxy", "client", OPERATION],
  ["proxy.backend_502", "Server could not reach the sandbox", "proxy", "infra", SUBJECT],
  ["proxy.bind_race", "First command raced the exec daemon's start", "proxy", "client config", SUBJECT],
  ["proxy.backend_dead", "Backend unreachable until given up", "proxy", "infra", SUBJECT],
  ["proxy.backend_disconnected", "Server lost its connection to execd", "proxy", "infra", OPERATION],
  ["proxy.internal_5xx", "Proxy internal error", "proxy", "infra", OPERATION],
  ["proxy.pool_exhausted", "The server's shared pool is full", "proxy", "infra", STATE],
  ["proxy.misrouted", "A dead sandbox answered", "proxy", "infra", NONE],
  ["control.create_timeout", "Sandbox creation timed out", "startup", "infra", CREATE],
  ["control.ready_check_failed", "Health check or probe never passed", "startup", "infra", CREATE],
  ["control.unschedulable", "No capacity", "scheduling", "infra", STATE],
  ["control.rate_limited", "Sandbox API answered 429", "scheduling", "client config", OPERATION],
  ["control.api_throttled", "Kubernetes API throttled", "scheduling", "infra", SUBJECT],
  ["control.auth", "Sandbox API refused credentials", "other", "client config", SUBJECT],
  ["control.sandbox_gone", "Sandbox no longer exists", "other", "infra", ONCE],
  ["control.api_error", "Other control-plane error", "other", "infra", OPERATION],
  ["pod.oom_killed", "Sandbox killed for memory", "oom", "infra", DEATH],
  ["pod.oom_process", "A process inside was killed for memory, the sandbox lived", "oom", "task", SUBJECT],
  ["pod.killed_unknown", "Container SIGKILLed without a reason", "other", "unknown", SUBJECT],
  ["pod.image_pull", "Image could not be pulled", "startup", "infra", ONCE],
  ["pod.evicted", "Evicted or preempted", "node", "infra", ONCE],
  ["pod.start_failed", "Container or exec daemon failed to start", "startup", "infra", STATE],
  ["pod.restarted", "Restarted and lost its state", "startup", "infra", SUBJECT],
  ["pod.network_setup", "Pod got no network", "startup", "infra", ONCE],
  ["pod.disk_full", "Disk of the sandbox is full", "other", "infra", STATE],
  ["node.disk_full", "Disk of the node is full", "node", "infra", STATE],
  ["pod.process_limit", "No more processes or descriptors", "other", "infra", SUBJECT],
  ["node.not_ready", "Node lost", "node", "infra", STATE],
  ["node.pressure", "Node under pressure", "node", "infra", STATE],
  ["node.shutdown", "Node shut down (spot)", "node", "infra", STATE],
  ["node.oom", "Node itself out of memory", "oom", "infra", SUBJECT],
  ["exec.spawn_failed", "A command could not start", "other", "infra", OPERATION],
  ["exec.wedged", "A command hung past the hard cap", "other", "infra", OPERATION],
  ["exec.sandbox_error", "A command got no exit code from the sandbox", "other", "infra", OPERATION],
  ["pod.probe_failed", "Liveness or readiness probe failed", "other", "infra", STATE],
  ["harness.worker_died", "Rollout worker died", "other", "infra", SUBJECT],
  ["harness.missing", "Planned rollout left no record", "other", "unknown", ONCE],
  ["harness.bug", "Harness code error", "other", "harness", OPERATION],
  ["verify.infra", "The verifier could not run", "other", "infra", OPERATION],
  ["cleanup.failed", "Delete failed", "other", "infra", SUBJECT],
  ["cleanup.leak_suspected", "Sandbox may be left behind", "other", "infra", ONCE],
  ["verify.timeout", "Verifier ran out of time", "none", "task", OPERATION],
  ["model.endpoint", "Model API failed", "none", "provider", OPERATION],
  ["model.judge", "Judge failed", "none", "provider", OPERATION],
  ["agent.timeout", "Agent used its whole time", "none", "agent", OPERATION],
  ["agent.command_timeout", "The agent's command exceeded its limit", "none", "agent", OPERATION],
  ["agent.command_killed", "The agent's command was killed", "none", "agent", OPERATION],
  ["agent.command_failed", "The agent's command ended with an error", "none", "agent", OPERATION],
  ["agent.memory", "The agent's program ran out of memory by itself", "none", "agent", OPERATION],
  ["agent.network", "The agent's program could not reach the network", "none", "agent", OPERATION],
  ["agent.limits", "Agent used up its steps, cost or context", "none", "agent", OPERATION],
  ["task.failed", "An honest zero", "none", "task", OPERATION],
  ["app.response", "The sandbox's own program answered so", "none", "task", OPERATION],
  ["client.config", "A client mistake", "none", "client", OPERATION],
  ["unknown", "An error that no rule explains", "other", "unknown", OPERATION],
];

export const CLASSES: readonly ClassInfo[] = ROWS.map(([id, title, family, owner, fold]) => ({
  id,
  title,
  family,
  owner,
  infra: family !== "none" && !COUNTED_APART.includes(id),
  fold,
}));

/** Classes that no single record shows: the derivation concludes them from several. */
export const DERIVED_ONLY: readonly ClassId[] = ["harness.missing", "proxy.misrouted", "pod.restarted"];

const BY_ID = new Map(CLASSES.map((info) => [info.id, info]));
const UNKNOWN = BY_ID.get("unknown") as ClassInfo;

/** The class by its id. An id of a newer taxonomy that this build does not know reads as `unknown` under its own id. */
export function classInfo(id: ClassId): ClassInfo {
  return BY_ID.get(id) ?? { ...UNKNOWN, id, infra: false };
}

/** Does a class count as infrastructure? */
export function isInfra(id: ClassId): boolean {
  return BY_ID.get(id)?.infra ?? false;
}
