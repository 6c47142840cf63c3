/** What the exec daemons of a run or a window saw: their error events by name, and faults of the exec layer itself. */
import type { ExecSweep } from "@/server/domain/answers";
import type { Store } from "@/server/domain/store";
import { defaultOrigins } from "./origins";
import { requireRun } from "./run-directory";

export interface ExecSweepInput {
  run?: string;
  /** Epoch ms, `from` inclusive, `to` exclusive. */
  from?: number;
  to?: number;
}

type FaultKind = ExecSweep["faults"][number]["kind"];
type Counted = Awaited<ReturnType<Store["countObservations"]>>[number];

/** Formats that read exec daemons. */
const FORMATS = ["execd"];
const KINDS = ["exec_event", "exec_log", "error"];
/** Errors of other layers carry the kind `error` too; these classes are the exec daemon's own to report. */
const OWN_ERRORS = new Set(["exec.spawn_failed", "exec.wedged", "pod.process_limit", "transport.client_left"]);

/** Faults of the exec layer by the class that the rules gave the daemon's own lines. */
const FAULT: Record<string, FaultKind> = {
  "exec.spawn_failed": "spawn",
  "pod.process_limit": "spawn",
  "pod.start_failed": "spawn",
  "exec.wedged": "timeout",
  "transport.request_timeout": "timeout",
  "transport.connect_timeout": "timeout",
  "pod.oom_killed": "oom",
  "pod.oom_process": "oom",
  "transport.client_left": "disconnect",
  "transport.connection_reset": "disconnect",
  "transport.stream_truncated": "disconnect",
  "transport.stale_keepalive": "disconnect",
};
const FAULT_KINDS: readonly FaultKind[] = ["spawn", "timeout", "oom", "disconnect"];

/** Throws `not_found` for an unknown run. */
export async function execSweep(store: Store, input: ExecSweepInput): Promise<ExecSweep> {
  const scope = input.run === undefined ? null : (await requireRun(store, input.run)).scope;
  const origins = scope ? undefined : await defaultOrigins(store);
  const filter = { runs: scope?.labels, origins, from: input.from, to: input.to };
  const [rows, read] = await Promise.all([
    store.countObservations({ ...filter, kinds: KINDS }),
    store.countSightings({ ...filter, formats: FORMATS }),
  ]);
  const events = eventsOf(rows);
  const faults = FAULT_KINDS.map((kind) => ({ kind, n: faultsOf(rows, kind) }));
  const eventsTotal = events.reduce((sum, event) => sum + event.n, 0);
  const counts = { run: scope?.id ?? null, podsRead: read.refs, linesRead: read.lines, events, eventsTotal, faults };
  return { ...counts, sentence: sentence(counts) };
}

function eventsOf(rows: readonly Counted[]): ExecSweep["events"] {
  const byLabel = new Map<string, number>();
  for (const row of rows) {
    if (row.kind !== "exec_event") continue;
    const label = row.label ?? "without a name";
    byLabel.set(label, (byLabel.get(label) ?? 0) + row.n);
  }
  return [...byLabel]
    .map(([label, n]) => ({ label, n, ownExitCode: isOwnExitCode(label) }))
    .sort((a, b) => b.n - a.n || (a.label < b.label ? -1 : 1));
}

/** `CommandExecError: <code>` is how the daemon says that the agent's own command ended with a code other than 0. */
function isOwnExitCode(label: string): boolean {
  return /^CommandExecError: -?\d+$/.test(label);
}

function faultsOf(rows: readonly Counted[], kind: FaultKind): number {
  return rows.reduce((sum, row) => sum + (faultOf(row) === kind ? row.n : 0), 0);
}

function faultOf(row: Counted): FaultKind | null {
  if (row.class === null || (row.kind === "error" && !OWN_ERRORS.has(row.class))) return null;
  return FAULT[row.class] ?? null;
}

function sentence(sweep: Omit<ExecSweep, "sentence">): string {
  const pods = `${sweep.podsRead} ${sweep.podsRead === 1 ? "pod" : "pods"}`;
  if (sweep.podsRead === 0 && sweep.eventsTotal === 0) return "No exec daemon's lines have been read.";
  const faults = sweep.faults.reduce((sum, fault) => sum + fault.n, 0);
  return `${eventsText(sweep)}, ${faults} ${faults === 1 ? "fault" : "faults"} in ${pods}`;
}

function eventsText(sweep: Omit<ExecSweep, "sentence">): string {
  const { eventsTotal } = sweep;
  if (eventsTotal === 0) return "0 events";
  const own = sweep.events.reduce((sum, event) => sum + (event.ownExitCode ? event.n : 0), 0);
  if (eventsTotal === 1)
    return `1 event, ${own === 1 ? "the agent's own exit code" : "not an exit code of the agent's"}`;
  if (own === eventsTotal) return `${eventsTotal} events, all the agent's own exit codes`;
  return `${eventsTotal} events, ${own} of them the agent's own exit codes`;
}
