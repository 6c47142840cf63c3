/** Harbor's trial results, one a line or a `result.json` alone. The exception may stand in a step while the trial's own is null. */
import type { Evidence } from "@/server/domain/evidence";
import type { FlatConfig } from "@/server/domain/rollout";
import type { Format, FormatContext, Payload, SeenRollout, Sink } from "../format";
import { HONEST_ZERO, UNNUMBERED } from "./blank-rollout";
import { flatten } from "./gym-config";
import { errorText } from "./gym-errors";
import { sandboxIn } from "./ids-in-text";
import { isObject, type JsonObject, jsonFault, objectAt, objectOf, objectsOf, textOf, typeWord } from "./json-fields";
import { timeOf } from "./times";

const LOOKS = /"trial_name"\s*:/;

export const harbor: Format = {
  name: "harbor",
  title: "Harbor trial results",
  unit: "line",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const object = objectOf(payload);
    return object === null ? payload.json === undefined : "trial_name" in object && "task_name" in object;
  },
  read: readTrial,
};

function readTrial(payload: Payload, sink: Sink, context: FormatContext): void {
  const trial = objectOf(payload);
  const fault = trial ? faultOf(trial) : null;
  if (!trial || fault) {
    const { code, message } = trial ? { code: "invalid_type" as const, message: fault ?? "" } : jsonFault(payload.text);
    sink.reject(payload.line, code, message, payload.text.slice(0, 500));
    return;
  }
  sink.rollout(payload, rolloutOf(trial, context));
}

function faultOf(trial: JsonObject): string | null {
  for (const name of ["task_name", "trial_name"]) {
    if (typeof trial[name] !== "string") return `${name} must be a string, got ${typeWord(trial[name])}`;
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
    index: UNNUMBERED,
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

/** The reward named `reward`, else the only or first one. */
function rewardOf(trial: JsonObject): number | null {
  const rewards = objectAt(trial, "verifier_result", "rewards") ?? {};
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
