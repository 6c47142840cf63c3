/** A probe as the classifier's evidence: the same rules judge canaries and ingested logs. */
import { classify } from "@/server/classify/classify";
import type { Classification } from "@/server/classify/rule";
import type { Evidence } from "@/server/domain/evidence";
import { OWN_CODES, type ProbeRecord } from "./probe";

export interface ProbeProblem {
  /** Machine code of an error body, or the canary's own. */
  code: string | null;
  message: string | null;
  /** The exec daemon's error event, when the command itself ended badly. */
  exec?: { name: string; value: string };
}

const PHASE_OF: Record<string, Evidence["phase"]> = {
  create: "create",
  get: "create",
  endpoint: "create",
  ping: "create",
  delete: "teardown",
};

export function probeEvidence(record: ProbeRecord, problem: ProbeProblem | null): Evidence {
  const common: Evidence = {
    layer: "canary",
    kind: "probe",
    operation: record.operation,
    operationId: record.id,
    method: record.method,
    path: record.path,
    phase: PHASE_OF[record.operation] ?? "exec",
    bytesRead: record.bytesRead,
    durationMs: record.totalMs,
  };
  if (record.status !== null) common.status = record.status;
  if (record.socket.reused !== null) common.reusedSocket = record.socket.reused;
  if (record.socket.idleMs !== null) common.idleMs = record.socket.idleMs;
  if (record.ownFault) common.finishedStatus = "own_fault";
  return problem?.exec ? { ...common, ...execEvidence(problem.exec) } : { ...common, ...said(record, problem) };
}

/** The daemon wrote this event, and its rules judge it: a command that ended badly is not a failed probe. */
function execEvidence({ name, value }: { name: string; value: string }): Partial<Evidence> {
  const event: Partial<Evidence> = {
    layer: "execd",
    kind: "exec_event",
    message: `${name}: ${value}`,
    errorType: name,
  };
  return /^-?\d+$/.test(value) ? { ...event, exitCode: Number(value) } : event;
}

function said(record: ProbeRecord, problem: ProbeProblem | null): Partial<Evidence> {
  const code = problem ? problem.code : record.code;
  const message = problem ? problem.message : record.message;
  return { ...(code === null ? {} : { code }), ...(message === null ? {} : { message }) };
}

/** A 502 within this time of the create is the race of the first command with the exec daemon, on our own clock. */
const BIND_WINDOW_MS = 10_000;

/** Class of a failed probe, null when the failure was our own; a 502 to the exec daemon soon after create is the bind race. */
export function classifyProbe(
  record: ProbeRecord,
  problem: ProbeProblem | null,
  sinceCreateMs: number | null,
): Classification {
  if (record.code !== null && OWN_CODES.has(record.code))
    return { class: null, rule: null, subCause: null, confidence: null };
  const found = classify(probeEvidence(record, problem));
  const raced = found.class === "proxy.backend_502" && sinceCreateMs !== null && sinceCreateMs <= BIND_WINDOW_MS;
  return raced ? { ...found, class: "proxy.bind_race" } : found;
}
