/** `key=value` lines of harnesses: `run=r-7 sandbox_id=… step=8 exec failed, will retry (1/3)`. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";

const PAIR = /(?<![\w.])([A-Za-z_][\w.-]*)=(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,;]*))/g;
/** The last field of a line may hold free text. */
const FREE = /\b(stderr|error|output|stdout|reason)=(?!['"])(.*)$/s;

export type Fields = Map<string, string>;

export function fieldsOf(message: string): Fields {
  const fields: Fields = new Map();
  for (const [, name, single, double, bare] of message.matchAll(PAIR)) {
    const value = single ?? double ?? bare ?? "";
    if (name && value !== "" && value !== "None" && value !== "null") fields.set(name, value);
  }
  const free = FREE.exec(message);
  if (free?.[1] && free[2]) fields.set(free[1], free[2].trim());
  return fields;
}

/** What the line is about, by the harness's own words. `run=` is its name of the attempt, never the run. */
export function fieldIds(fields: Fields): Pick<Seen, "attempt" | "sandbox" | "node"> {
  const ids: Pick<Seen, "attempt" | "sandbox" | "node"> = {};
  const attempt = fields.get("run") ?? fields.get("run_id") ?? fields.get("attempt_id") ?? fields.get("instance");
  const sandbox = fields.get("sandbox_id") ?? fields.get("sandbox");
  const node = fields.get("node") ?? fields.get("node_name");
  if (attempt) ids.attempt = attempt;
  if (sandbox) ids.sandbox = sandbox;
  if (node) ids.node = node;
  return ids;
}

/** Evidence of a harness's own line, or null when its fields and words say none. `message` is not set. */
export function harnessEvidence(message: string, fields: Fields): Omit<Evidence, "layer"> | null {
  const base = stepOf(fields);
  if (/^(?:\S+=\S+\s+)*finished\b/.test(message) && fields.has("status")) {
    return { kind: "finished", finishedStatus: fields.get("status") };
  }
  if (fields.has("exit_status")) return { kind: "finished", finishedStatus: fields.get("exit_status") };
  const code = exitCode(fields);
  if (/(?:^|\s)created\s*$/.test(message)) return { ...base, kind: "lifecycle", phase: "create", operation: "create" };
  if (/\bexec ok\b/.test(message)) {
    return { ...base, kind: "success", phase: "exec", ...(code === undefined ? {} : { exitCode: code }) };
  }
  if (/\bexec failed\b/.test(message)) return { ...base, ...failedExec(message) };
  if (code === undefined) return null;
  return exitEvidence(base, code, fields);
}

function failedExec(message: string): Omit<Evidence, "layer"> {
  const retry = /\bwill retry \((\d+)\/(\d+)\)/.exec(message);
  if (!retry) return { kind: "error", phase: "exec" };
  return { kind: "retry", phase: "exec", attempt: Number(retry[1]), maxAttempts: Number(retry[2]) };
}

/** A code alone is the command's own; with the harness's `error_type` the sandbox gave none and it is an error. */
function exitEvidence(base: Partial<Evidence>, code: number, fields: Fields): Omit<Evidence, "layer"> {
  const evidence: Omit<Evidence, "layer"> = { ...base, kind: "exit", phase: "exec", exitCode: code };
  const producerClass = fields.get("error_type");
  const message = fields.get("stderr") ?? fields.get("output");
  if (message) evidence.message = message;
  if (producerClass) {
    evidence.producerClass = producerClass;
    if (producerClass === "sandbox") evidence.kind = "error";
  }
  return evidence;
}

function stepOf(fields: Fields): Pick<Evidence, "operationId" | "attempt"> {
  const out: Pick<Evidence, "operationId" | "attempt"> = {};
  const step = fields.get("step");
  const attempt = Number(fields.get("attempt"));
  if (step) out.operationId = `step=${step}`;
  if (Number.isInteger(attempt) && attempt > 0) out.attempt = attempt;
  return out;
}

function exitCode(fields: Fields): number | undefined {
  const text = fields.get("return_code") ?? fields.get("returncode") ?? fields.get("rc") ?? fields.get("exit_code");
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}
