/** Failure evidence that a Gym row itself carries, agent by agent: typed fields only, never its trajectory, tests or patches. */
import type { Evidence, Phase } from "@/server/domain/evidence";
import { bounded } from "./bounded";
import {
  chainEvidence,
  exceptionLine,
  exceptionRepr,
  exceptionText,
  readTraceback,
  type SeenException,
} from "./exceptions";
import { booleanOf, isObject, type JsonObject, numberOf, objectAt, objectsOf, textOf } from "./json-fields";
import { providerEvidence } from "./provider-lines";

/** Words of `error_kind`, `agent_error_kind` and routing that report nothing: `other` is any agent that printed something. */
const NO_ERROR = new Set(["", "none", "other", "ok", "success", "completed"]);
/** Ends of an OSWorld task that are the agent's or nobody's. */
const OSWORLD_HONEST = new Set(["agent_done", "agent_fail", "environment_done", "setup_score_zero"]);

/** Evidence in order of how much it proves; empty for a row without an error. */
export function gymEvidence(row: JsonObject): Evidence[] {
  const found =
    typedError(row) ?? flags(row) ?? agentWord(row) ?? osworld(row) ?? observedSandbox(row) ?? lostTrial(row);
  return found ? [found] : [];
}

/** An exception that the producer wrote down, in whichever field its agent has for it. */
function typedError(row: JsonObject): Evidence | null {
  const metadata = objectAt(row, "metadata");
  const info = objectAt(metadata, "exception_info") ?? objectAt(row, "exception_info");
  const producerClass = wordOf(row, "_ng_failure_class") ?? wordOf(row, "error_kind") ?? wordOf(row, "error_class");
  const told = info
    ? harborException(info)
    : (errorText(textOf(row, "exception", "agent_error", "verifier_error", "error_message"), undefined) ??
      errorText(
        textOf(row, "error") ?? textOf(metadata, "error"),
        textOf(row, "traceback") ?? textOf(metadata, "traceback"),
      ) ??
      pinchbench(row));
  if (!told && !producerClass) return null;
  const evidence: Evidence = { layer: "record", kind: "error", ...told };
  if (producerClass) evidence.producerClass = producerClass;
  if (/eval|verif|judge/.test(producerClass ?? "") || "verifier_error" in row) evidence.phase = "verify";
  return evidence;
}

/** All that the producer wrote about an error, raw: ids stand in the outer exceptions too. */
export function errorTexts(row: JsonObject): string {
  const metadata = objectAt(row, "metadata");
  const info = objectAt(metadata, "exception_info");
  const texts = [
    ...["exception", "agent_error", "verifier_error", "error_message", "error", "traceback"].map((name) => row[name]),
    ...["error", "traceback"].map((name) => metadata?.[name]),
    ...["exception_message", "exception_traceback"].map((name) => info?.[name]),
  ];
  return texts.filter((text) => typeof text === "string").join("\n");
}

function wordOf(row: JsonObject, field: string): string | undefined {
  const word = textOf(row, field);
  return word === undefined || NO_ERROR.has(word.toLowerCase()) ? undefined : word;
}

function harborException(info: JsonObject): Partial<Evidence> {
  const type = textOf(info, "exception_type")?.split(".").at(-1);
  const message = textOf(info, "exception_message") ?? "";
  const chain = readTraceback(textOf(info, "exception_traceback") ?? "");
  const outer: SeenException[] = type && !chain.some((one) => one.type === type) ? [{ type, message }] : [];
  return { message: message || type, ...chainEvidence([...outer, ...chain]), ...(type ? { errorType: type } : {}) };
}

/** An error as text or repr, with its traceback where there is one: the innermost cause decides. */
export function errorText(text: string | undefined, traceback: string | undefined): Partial<Evidence> | null {
  const chain = readTraceback(traceback ?? text ?? "");
  const alone = text === undefined ? null : (exceptionLine(text.split("\n", 1)[0] ?? "") ?? leadingRepr(text));
  const innermost = chain[0] ?? alone;
  if (text === undefined && !innermost) return null;
  const message = bounded(innermost ? exceptionText(innermost) : (text ?? ""));
  const chained = chain.length > 0 ? chain : alone ? [alone] : [];
  const typed = providerEvidence(text ?? message);
  const evidence: Partial<Evidence> = { message, ...chainEvidence(chained) };
  if (typed?.operation) evidence.operation = typed.operation;
  if (typed?.phase) evidence.phase = typed.phase;
  if (typed?.status) evidence.status = typed.status;
  // What the outermost error says of the sandbox is lost when only the cause is kept.
  if (innermost && text && !text.includes(innermost.message)) evidence.message = bounded(`${message} (${text})`);
  return evidence;
}

/** One that does not begin with its words (`OSError(28, '…')`, an error within an error) is kept as it is written. */
function leadingRepr(text: string): SeenException | null {
  const found = /^[\w.]+\(/.test(text) ? exceptionRepr(text) : null;
  return found && found.message === "" && /\([^)]/.test(text) ? { ...found, message: text } : found;
}

function pinchbench(row: JsonObject): Partial<Evidence> | null {
  if (row.status !== "error") return null;
  const message = textOf(row, "grading_notes");
  const exitCode = numberOf(objectAt(row, "raw_rollout"), "non_clean_exit_rc");
  if (exitCode === undefined) return { message };
  // The agent takes these for its runner having been killed.
  return {
    message,
    exitCode,
    ...(exitCode < 0 || exitCode === 137 || exitCode === 143 ? { producerClass: "killed" } : {}),
  };
}

interface Flag {
  field: string;
  producerClass: string;
  phase?: Phase;
}

/** Booleans by which agents say how an attempt ended; the first that is set decides. */
const FLAGS: readonly Flag[] = [
  { field: "oom_killed", producerClass: "oom" },
  { field: "eval_oom_killed", producerClass: "oom", phase: "verify" },
  { field: "memory_limit_exceeded_error", producerClass: "oom" },
  { field: "sandbox_failed", producerClass: "sandbox_failed" },
  { field: "container_timed_out", producerClass: "container_timed_out", phase: "verify" },
  { field: "eval_timed_out", producerClass: "eval_timed_out", phase: "verify" },
  { field: "agent_timed_out", producerClass: "agent_timed_out" },
  { field: "agent_timeout_error", producerClass: "agent_timeout" },
  { field: "context_length_exceeded_error", producerClass: "context_length_exceeded" },
];

function flags(row: JsonObject): Evidence | null {
  // A clean-up that failed sets this too; a sandbox that gave a full score did not fail.
  const earned = (numberOf(row, "reward") ?? 0) > 0;
  for (const { field, producerClass, phase } of FLAGS) {
    const value = row[field];
    if (value !== true && value !== 1) continue;
    if (earned && field === "sandbox_failed") {
      return { layer: "record", kind: "error", producerClass, phase: "teardown" };
    }
    return { layer: "record", kind: "error", producerClass, ...(phase ? { phase } : {}) };
  }
  return null;
}

function agentWord(row: JsonObject): Evidence | null {
  const word = wordOf(row, "agent_error_kind");
  return word ? { layer: "record", kind: "error", producerClass: word } : null;
}

function osworld(row: JsonObject): Evidence | null {
  const metadata = objectAt(row, "verifier_metadata");
  const message = textOf(metadata, "osworld_error");
  const reason = textOf(metadata, "osworld_termination_reason");
  const startFailed = textOf(objectAt(row, "response"), "id") === "osworld-error";
  if (message === undefined && !startFailed && (reason === undefined || OSWORLD_HONEST.has(reason))) return null;
  const evidence: Evidence = { layer: "record", kind: "error", ...(errorText(message, undefined) ?? {}) };
  if (reason) evidence.producerClass = reason === "timeout" ? "agent_timeout" : reason;
  if (reason === "evaluator_error") evidence.phase = "verify";
  return evidence;
}

/** Harbor's agent wrote its row, and found no trial to put into it: what became of that only its console said. */
export function hasNoTrial(row: JsonObject): boolean {
  const metadata = objectAt(row, "metadata");
  if (!metadata || Object.keys(metadata).length > 0 || (numberOf(row, "reward") ?? 0) > 0) return false;
  if (flags(row) !== null) return false;
  const agent = textOf(objectAt(row, "agent_ref"), "name") ?? "";
  return "memory_limit_exceeded_error" in row || /harbor/i.test(agent);
}

function lostTrial(row: JsonObject): Evidence | null {
  if (!hasNoTrial(row)) return null;
  return { layer: "record", kind: "error", message: "Harbor left no trial; its console may say why" };
}

/** `ng_agent_observations` may hold a sandbox's own end; no agent writes it yet. */
function observedSandbox(row: JsonObject): Evidence | null {
  const records = objectsOf(objectAt(row, "ng_agent_observations"), "records").filter((one) => one.kind === "sandbox");
  const bad = records.find((one) => ["oom", "sandbox_error"].includes(String(one.outcome)));
  if (!isObject(bad) || booleanOf(row, "resolved") === true) return null;
  const evidence: Evidence = { layer: "record", kind: "error", producerClass: String(bad.outcome) };
  const type = textOf(bad, "error_type");
  if (type) evidence.errorType = type;
  return evidence;
}
