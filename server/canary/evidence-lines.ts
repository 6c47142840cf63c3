/** What a canary saw, as lines of JSON for the ordinary ingest: failed probes, what went well where it ends a failure, and each sandbox. */
import { CANARY_LINE } from "@/server/domain/canary";
import type { CycleResult } from "./cycle";
import type { ProbeRecord } from "./probe";
import type { ProbeProblem } from "./probe-evidence";

/** Who ran it: the same on every line of one run. */
export interface LineSource {
  installation: string;
  canary: string;
  target: string;
  plan: string;
}

/** Steps whose success ends a failure of the same kind. */
const ENDS_FAILURES = new Set(["create", "exec"]);

/** Lines of one sandbox's life, without line ends. */
export function cycleLines(source: LineSource, cycle: CycleResult): string[] {
  const where = { cycle: cycle.id, sandbox: cycle.sandbox, node: cycle.node };
  const lines = cycle.steps.flatMap(({ name, ok, record, problem, daemonAnswered }) => {
    if (record === null || (ok && !ENDS_FAILURES.has(name))) return [];
    return [probeLine(source, { ...where, ok, record, problem, daemonAnswered })];
  });
  if (cycle.sandbox === null) return lines;
  const { inspected } = cycle;
  const made = cycle.steps.find((step) => step.name === "create");
  const end = JSON.stringify({
    ...head(source, "cycle", cycle.startedAt + cycle.ms),
    ...where,
    ok: cycle.ok,
    ownFault: cycle.ownFault,
    cancelled: cycle.cancelled,
    failed: cycle.failed,
    createdAt: made ? new Date(made.startedAt + made.ms).toISOString() : null,
    pod: inspected?.pod ?? null,
    namespace: inspected?.namespace ?? null,
    podIp: inspected?.podIp ?? null,
    limits: inspected?.limits ?? {},
    requests: inspected?.requests ?? {},
  });
  return [...lines, end];
}

interface ProbeSeen {
  cycle: string | null;
  sandbox: string | null;
  node: string | null;
  ok: boolean;
  record: ProbeRecord;
  problem: ProbeProblem | null;
  /** Left out where no exec daemon is in play. */
  daemonAnswered?: boolean;
}

export function probeLine(source: LineSource, seen: ProbeSeen): string {
  return JSON.stringify({ ...head(source, "probe", seen.record.startedAt + seen.record.totalMs), ...seen });
}

function head(source: LineSource, kind: "probe" | "cycle", at: number) {
  return { coalmine: CANARY_LINE, kind, at: new Date(at).toISOString(), ...source };
}
