/**
 * NeMo Gym's files, one JSON object a line: finished rows, rows of the failures sidecar, and the materialized inputs (what was planned).
 * What an agent, a test or a model printed is in these rows too; nothing of it is read.
 */
import type { Format, FormatContext, Payload, SeenRollout, Sink } from "../format";
import { HONEST_ZERO, UNNUMBERED } from "./blank-rollout";
import { gymConfig } from "./gym-config";
import { errorTexts, gymEvidence, hasNoTrial } from "./gym-errors";
import { gymFault } from "./gym-shape";
import { gymTimes } from "./gym-times";
import { sandboxFields, sandboxIn } from "./ids-in-text";
import { booleanOf, type JsonObject, jsonFault, numberOf, objectAt, objectOf, objectsOf, textOf } from "./json-fields";

const OURS = /"(?:_ng_task_index|_ng_rollout_index|responses_create_params|agent_ref)"\s*:/;

export const gymRollouts: Format = {
  name: "gym-rollouts",
  title: "NeMo Gym rollout records: results, failures and materialized inputs",
  unit: "line",
  archive: "none",
  accepts(payload) {
    if (payload.json === undefined && !OURS.test(payload.text)) return false;
    const object = objectOf(payload);
    if (!object) return payload.json === undefined && /^\s*\{/.test(payload.text);
    return ["_ng_task_index", "_ng_rollout_index", "agent_ref", "responses_create_params"].some((key) => key in object);
  },
  read: readRow,
};

function readRow(payload: Payload, sink: Sink, context: FormatContext): void {
  const row = objectOf(payload);
  const fault = row ? gymFault(row) : { code: jsonFault(payload.text).code, message: jsonFault(payload.text).message };
  if (!row || fault) {
    sink.reject(
      payload.line,
      fault?.code ?? "invalid_json",
      fault?.message ?? "not an object",
      payload.text.slice(0, 500),
    );
    return;
  }
  // Means over rows, in a file of their own beside the rows.
  if ("agent_metrics" in row || "group_level_metrics" in row) {
    sink.routine(payload);
    return;
  }
  const task = taskOf(row);
  const index = numberOf(row, "_ng_rollout_index") ?? UNNUMBERED;
  if (!("reward" in row) && !isFailure(row) && !("response" in row)) {
    sink.planned({ task, index: Math.max(0, index) });
    return;
  }
  sink.rollout(payload, rolloutOf(row, task, index, context));
}

/** The instance when the row names one, else the task's number. */
function taskOf(row: JsonObject): string {
  const named =
    textOf(row, "instance_id", "task_id") ??
    textOf(objectAt(row, "instance_config", "problem_info"), "instance_id", "task_name") ??
    textOf(objectAt(row, "verifier_metadata"), "task_id", "instance_id") ??
    textOf(objectAt(row, "responses_create_params", "metadata"), "instance_id") ??
    textOf(row, "task_name");
  return named ?? String(row._ng_task_index ?? "unnamed");
}

function rolloutOf(row: JsonObject, task: string, index: number, context: FormatContext): SeenRollout {
  const evidence = gymEvidence(row);
  const failure = evidence.find((one) => one.kind === "error");
  const reward = numberOf(row, "reward") ?? null;
  const producerPassed = passedOf(row);
  const honestZero = evidence.length === 0 && reward !== null && reward <= 0 && producerPassed !== true;
  return {
    task,
    index,
    attempt: attemptOf(row),
    agent: textOf(objectAt(row, "agent_ref"), "name") ?? null,
    ...gymTimes(row, { tz: context.params.tz, receivedAt: context.receivedAt }),
    reward,
    producerPassed,
    masked: booleanOf(row, "mask_sample") ?? maskOfSweAgents(row) ?? null,
    scored: isScored(row, reward),
    emptyOutput: emptyOutput(row),
    hasPatch: hasPatch(row),
    sandboxes: sandboxesOf(row),
    node: textOf(row, "node", "node_name", "hostname") ?? null,
    error: failure ? (failure.message ?? failure.producerClass ?? failure.errorType ?? "failed").slice(0, 2000) : null,
    config: gymConfig(row),
    evidence: honestZero ? [...HONEST_ZERO] : evidence,
  };
}

/** A sidecar row was set aside by its producer, and a trial that is not there was not judged: their reward of 0 is a placeholder. */
function isScored(row: JsonObject, reward: number | null): boolean {
  return reward !== null && textOf(row, "_ng_failure_class") === undefined && !hasNoTrial(row);
}

function isFailure(row: JsonObject): boolean {
  return textOf(row, "_ng_failure_class") !== undefined || "error" in row || "exception" in row;
}

function attemptOf(row: JsonObject): number {
  return numberOf(row, "_ng_attempt_index", "attempt", "attempt_index") ?? 0;
}

function passedOf(row: JsonObject): boolean | null {
  const own = booleanOf(row, "resolved", "is_resolved", "is_correct", "passed", "success");
  if (own !== undefined) return own;
  const report = Object.values(objectAt(row, "metadata", "eval_report") ?? {})[0];
  const resolved =
    typeof report === "object" && report !== null ? booleanOf(report as JsonObject, "resolved") : undefined;
  return resolved ?? null;
}

/** Only these rows keep their mask inside; elsewhere that field is an unused default. */
function maskOfSweAgents(row: JsonObject): boolean | undefined {
  return "oom_killed" in row || "eval_oom_killed" in row
    ? booleanOf(objectAt(row, "instance_config"), "mask_sample")
    : undefined;
}

/** Null where the row has no response at all. A padded empty assistant message counts as nothing. */
function emptyOutput(row: JsonObject): boolean | null {
  const response = objectAt(row, "response");
  if (!response || !Array.isArray(response.output)) return null;
  // Only agents whose rows keep the whole output say something by an empty one.
  const items = objectsOf(response, "output");
  return items.every(
    (item) => item.type === "message" && objectsOf(item, "content").every((part) => !textOf(part, "text")),
  );
}

function hasPatch(row: JsonObject): boolean | null {
  const known = booleanOf(row, "patch_exists");
  if (known !== undefined) return known;
  const patch = row.model_patch ?? objectAt(row, "metadata")?.model_patch;
  return typeof patch === "string" ? patch.trim() !== "" : null;
}

function sandboxesOf(row: JsonObject): string[] {
  const observed = objectsOf(objectAt(row, "ng_agent_observations"), "records").flatMap(
    (record) => textOf(record, "sandbox_id") ?? [],
  );
  const told = sandboxIn(errorTexts(row));
  return [...new Set([...sandboxFields(row), ...observed, ...(told ? [told] : [])])];
}
