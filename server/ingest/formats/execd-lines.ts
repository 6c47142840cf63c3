/** What each of the exec daemon's messages says. Old builds write `StreamEvent.X …`, newer ones `sse: X …`. */
import type { Evidence } from "@/server/domain/evidence";
import { peerIn } from "./ids-in-text";

export interface ExecdLine {
  evidence: Omit<Evidence, "layer">;
  label?: string;
}

const ERROR_EVENT =
  /^(?:StreamEvent\.|sse: )OnExecuteError write (?:data )?type=error(?: text=.*?)? error=([^:]+): ?(.*)$/s;
const LEFT = /^(?:StreamEvent\.|sse: )(\w+):? client disconnected/;
const WRITE = /^(?:StreamEvent\.|sse: )(\w+) write /;
const EXEC_ERROR = /^CommandExecError: /;
const TIMEOUT = /^timeout after (\S+) while running command/;
const STARTED = /^execd listening on /;
const QUIET =
  /^(?:Attempting to terminate process group|Process group \d+|context cancelled, try to interrupt|OpenTelemetry metrics disabled|Requested: |received command: )/;

/** Messages that open so, at level info, are progress; `from` is where the message begins in the raw line. */
const ROUTINE = /(?:Requested: |received command: |(?:StreamEvent\.|sse: )On(?:Execute(?!Error)\w*|Init\w*) write )/y;
const INFO = '{"level":"info"';

export function isRoutineMessage(line: string, from: number): boolean {
  if (!line.startsWith(INFO)) return false;
  ROUTINE.lastIndex = from;
  // A line cut off at its end must be rejected, not counted as read.
  return ROUTINE.test(line) && line.endsWith('"}');
}

/** Null for progress. */
export function execdEvidence(message: string, level: Evidence["level"]): ExecdLine | null {
  const event = level === "error" ? null : ERROR_EVENT.exec(message);
  if (event) return errorEvent(event[1] ?? "", (event[2] ?? "").trim());
  const left = LEFT.exec(message);
  if (left) {
    // One line per write of output, so a storm of them is sampled by the logger.
    const evidence = { kind: "error", message, level, operation: left[1], sampled: true } as const;
    return { evidence: { ...evidence, phase: "exec" } };
  }
  if (EXEC_ERROR.test(message))
    return { evidence: { kind: "exec_log", message, level, phase: "exec", ...endOf(message) } };
  const timeout = TIMEOUT.exec(message);
  if (timeout) return timedOut(message, level, timeout[1] ?? "");
  if (STARTED.test(message)) {
    return { evidence: { kind: "lifecycle", message, phase: "create" }, label: "execd listening" };
  }
  if (QUIET.test(message)) return null;
  return other(message, level);
}

function errorEvent(ename: string, evalue: string): ExecdLine {
  const label = `${ename}: ${evalue}`;
  const evidence: ExecdLine["evidence"] = { kind: "exec_event", message: label, errorType: ename, phase: "exec" };
  if (/^-?\d+$/.test(evalue)) evidence.exitCode = Number(evalue);
  return { evidence, label };
}

function endOf(message: string): Pick<Evidence, "exitCode" | "signal"> {
  const status = /\bexit status (\d+)/.exec(message)?.[1];
  if (status !== undefined) return { exitCode: Number(status) };
  const signal = /\bsignal: (\w+)/.exec(message)?.[1];
  return signal === undefined ? {} : { signal };
}

function timedOut(message: string, level: Evidence["level"], duration: string): ExecdLine {
  const timeoutMs = goDurationMs(duration);
  const evidence: ExecdLine["evidence"] = { kind: "exec_log", message, level, phase: "exec" };
  if (timeoutMs !== null) evidence.timeoutMs = timeoutMs;
  return { evidence };
}

function other(message: string, level: Evidence["level"]): ExecdLine | null {
  const write = WRITE.exec(message);
  if (write && level === "error") {
    return { evidence: { kind: "error", message, level, operation: write[1], phase: "exec", ...peerIn(message) } };
  }
  if (level === "error" || level === "fatal")
    return { evidence: { kind: "error", message, level, ...peerIn(message) } };
  return level === "warn" ? { evidence: { kind: "exec_log", message, level } } : null;
}

const GO_UNITS: Record<string, number> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 0.000001,
};

/** `10m0s`, `1.5s`, `71s` → ms; null when it is no Go duration. */
export function goDurationMs(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|us|µs|ns|m|s))+$/.test(text)) return null;
  let ms = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/g)) {
    ms += Number(number) * (GO_UNITS[unit ?? ""] ?? 0);
  }
  return Math.round(ms);
}
