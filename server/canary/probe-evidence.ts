/** A probe as the classifier's evidence: the same rules judge canaries and ingested logs. */
import { classify } from "@/server/classify/classify";
import type { Classification } from "@/server/classify/rule";
import type { Evidence } from "@/server/domain/evidence";
import type { ProbeRecord } from "./probe";

export interface ProbeProblem {
  /** Machine code of an error body. */
  code: string | null;
  message: string | null;
}

export function probeEvidence(
  record: ProbeRecord,
  problem: ProbeProblem | null,
  sinceCreateMs: number | null,
): Evidence {
  const evidence: Evidence = {
    layer: "canary",
    kind: "probe",
    operation: record.operation,
    method: record.method,
    path: record.path,
  };
  const message = problem?.message ?? record.message;
  const code = problem?.code ?? record.code;
  if (message !== null) evidence.message = message;
  if (code !== null) evidence.code = code;
  if (record.status !== null) evidence.status = record.status;
  if (record.socket.reused !== null) evidence.reusedSocket = record.socket.reused;
  if (record.socket.idleMs !== null) evidence.idleMs = record.socket.idleMs;
  evidence.bytesRead = record.bytesRead;
  evidence.durationMs = record.totalMs;
  evidence.phase = PHASE_OF[record.operation] ?? "exec";
  if (sinceCreateMs !== null && record.operation === "create") evidence.durationMs = sinceCreateMs;
  return evidence;
}

const PHASE_OF: Record<string, Evidence["phase"]> = {
  create: "create",
  get: "create",
  endpoint: "create",
  ping: "create",
  delete: "teardown",
};

/** The bind window of taxonomy.md §3.7, on the canary's own clock. */
const BIND_WINDOW_MS = 10_000;

/** Class of a failed probe; a 502 to the exec daemon soon after create is the bind race. */
export function classifyProbe(
  record: ProbeRecord,
  problem: ProbeProblem | null,
  sinceCreateMs: number | null,
): Classification {
  const found = classify(probeEvidence(record, problem, sinceCreateMs));
  const raced = found.class === "proxy.backend_502" && sinceCreateMs !== null && sinceCreateMs <= BIND_WINDOW_MS;
  return raced ? { ...found, class: "proxy.bind_race" } : found;
}
