/** Harbor's trial results, one a line or a `result.json` alone. The exception may stand in a step while the trial's own is null. */
import type { Evidence } from "@/server/domain/evidence";
import type { FlatConfig } from "@/server/domain/rollout";
import type { Format, FormatContext, Payload, SeenRollout, Sink } from "../format";
import { HONEST_ZERO, UNNUMBERED } from "./blank-rollout";
import { indexOfName } from "./file-names";
import { flatten } from "./gym-config";
import { errorText } from "./gym-errors";
import { sandboxIn } from "./ids-in-text";
import { isObject, type JsonObject, objectAt, objectOf, objectsOf, textOf, typeWord } from "./json-fields";
import { rejectRecord } from "./record-error";
import { timeOf } from "./times";

const LOOKS = /"trial_name"\s*:|"job_name"\s*:|"n_total_trials"\s*:/;
/** Trials of one task are told apart by the end of their names: `t1__f3Kq9aZ`. */
const NAMED = /__[A-Za-z0-9]{7}$/;

export const harbor: Format = {
  name: "harbor",
  title: "Harbor trial results, and the files of their jobs",
  unit: "line",
  archive: "none",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const object = objectOf(payload);
    return object === null ? payload.json === undefined : isTrial(object) || isOfJob(object);
  },
  read(payload, sink, context) {
    const object = objectOf(payload);
    // A job's counts and settings say nothing that its trials do not say.
    if (object && !isTrial(object)) sink.routine(payload);
    else readTrial(payload, sink, context);
  },
};

function isTrial(object: JsonObject): boolean {
  return "trial_name" in object && "task_name" in object;
}

function isOfJob(object: JsonObject): boolean {
  return (
    ("stats" in object && "n_total_trials" in object) ||
    ("job_name" in object && ("agents" in object || "jobs_dir" in object)) ||
    ("trial_name" in object && "trials_dir" in object)
  );
}

function readTrial(payload: Payload, sink: Sink, context: FormatContext): void {
  const trial = objectOf(payload);
  const fault = trial ? faultOf(trial) : null;
  if (!trial || fault) {
    rejectRecord(payload, sink, fault);
    return;
  }
  sink.rollout(payload, rolloutOf(trial, context));
}

function faultOf(trial: JsonObject): string | null {
  for (const name of ["task_name", "trial_name"]) {
    if (typeof trial[name] !== "string") return `${name} must be a string, got ${typeWord(trial[name])}`;
    if (trial[name] === "") return `${name} must not be empty`;
  }
  const rewards = objectAt(trial, "verifier_result", "rewards");
  for (const [name, value] of Object.entries(rewards ?? {})) {
    if (value !== null && typeof value !== "number")
      return `verifier_result.rewards.${name} must be a number, got ${typeWord(value)}`;
  }
  return null;
}

function rolloutOf(trial: JsonObject, { params, receivedAt }: FormatContext): SeenRollout {
  const clock = { tz: params.tz, receivedAt };
  const evidence = evidenceOf(trial);
  const reward = rewardOf(trial);
  const error = evidence[0];
  const config: FlatConfig = {};
  flatten(config, "environment", objectAt(trial, "config", "environment") ?? null, 0);
  const sandbox = sandboxIn(evidence.map((one) => one.message ?? "").join("\n"));
  return {
    task: textOf(trial, "task_name") ?? "",
    index: indexOf(textOf(trial, "trial_name")),
    attempt: 0,
    agent: textOf(objectAt(trial, "agent_info"), "name") ?? null,
    startedAt: timeOf(trial.started_at, clock)?.at ?? null,
    endedAt: timeOf(trial.finished_at, clock)?.at ?? null,
    reward,
    producerPassed: null,
    masked: null,
    scored: reward !== null,
    emptyOutput: null,
    hasPatch: null,
    sandboxes: sandbox ? [sandbox] : [],
    node: null,
    error: error ? (error.message ?? error.errorType ?? "failed").slice(0, 2000) : null,
    config: config.environment === null ? {} : config,
    evidence: error || reward === null || reward > 0 ? evidence : [...HONEST_ZERO],
  };
}

function indexOf(name: string | undefined): number {
  return name !== undefined && NAMED.test(name) ? indexOfName(name) : UNNUMBERED;
}

/** The reward named `reward`, else the only or first one; of a trial in steps that has none of its own, its last step's. */
function rewardOf(trial: JsonObject): number | null {
  const own = objectAt(trial, "verifier_result", "rewards");
  const last = objectsOf(trial, "step_results").at(-1);
  const rewards = own ?? objectAt(last, "verifier_result", "rewards") ?? {};
  const value = rewards.reward ?? Object.values(rewards)[0];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The trial's exception, else the first of its steps'. */
function evidenceOf(trial: JsonObject): Evidence[] {
  const steps = objectsOf(trial, "step_results").map((step) => step.exception_info);
  const info = [trial.exception_info, ...steps].find(isObject);
  if (!info) return [];
  const message = textOf(info, "exception_message");
  const type = textOf(info, "exception_type")?.split(".").at(-1);
  const read = errorText(message, textOf(info, "exception_traceback")) ?? {};
  const evidence: Evidence = { layer: "record", kind: "error", ...read, message: message ?? read.message };
  if (type) {
    evidence.errorType = type;
    evidence.errorChain = [...new Set([type, ...(read.errorChain ?? [])])];
  }
  if (/Verif|Reward|AddTests/.test(type ?? "")) evidence.phase = "verify";
  return [evidence];
}
