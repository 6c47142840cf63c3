/**
 * OpenHands' benchmark rows: `output.critic_attempt_<n>.jsonl` holds every row, `output.jsonl` the best of each instance without
 * those that failed. The same row in both is one record. What the agent did (`history`) is never read.
 */
import type { Evidence } from "@/server/domain/evidence";
import type { FlatConfig } from "@/server/domain/rollout";
import type { Format, FormatContext, Payload, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { baseName, nameOf } from "./file-names";
import { flatten } from "./gym-config";
import { sandboxIn } from "./ids-in-text";
import {
  booleanOf,
  countFault,
  countOf,
  type JsonObject,
  jsonFault,
  numberOf,
  objectAt,
  objectOf,
  objectsOf,
  textOf,
  typeWord,
} from "./json-fields";
import { errorWords, recordError, rejectRecord } from "./record-error";
import { timeOf } from "./times";

const LOOKS = /"test_result"\s*:/;
/** Cut at 200 characters by its producer, and wrapped in a sentence of its own. */
const WRAPPED = /^Instance failed after \d+ retries\. Last error: /;

export const openhands: Format = {
  name: "openhands",
  title: "OpenHands benchmark output, final rows and those of each critic attempt",
  unit: "line",
  archive: "none",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const row = objectOf(payload);
    if (!row) return payload.json === undefined && jsonFault(payload.text).code === "incomplete";
    return "instance_id" in row && "test_result" in row && ("history" in row || "error" in row || "metrics" in row);
  },
  read: readRow,
};

function readRow(payload: Payload, sink: Sink, context: FormatContext): void {
  const row = objectOf(payload);
  if (!row) {
    rejectRecord(payload, sink, null);
    return;
  }
  const { instance_id: task, error } = row;
  if (typeof task !== "string" || task === "") {
    rejectRecord(payload, sink, `instance_id must be a string, got ${typeWord(task)}`);
    return;
  }
  if (error !== undefined && error !== null && typeof error !== "string") {
    rejectRecord(payload, sink, `error must be a string, got ${typeWord(error)}`);
    return;
  }
  const fault = countFault(row, "attempt");
  if (fault) {
    rejectRecord(payload, sink, fault);
    return;
  }
  const clock = { tz: context.params.tz, receivedAt: context.receivedAt };
  const evidence = evidenceOf(row);
  const passed = passedOf(row);
  const runs = runsOf(row);
  const told = sandboxIn(evidence[0]?.message ?? "");
  const sandboxes = runs.flatMap((run) => textOf(run, "runtime_id", "session_id") ?? []);
  const patch = objectAt(row, "test_result")?.git_patch;
  sink.rollout(payload, {
    ...blankRollout(task),
    index: 0,
    attempt: attemptOf(row, payload, context),
    startedAt: timeOf(runs[0]?.started_at, clock)?.at ?? null,
    reward: passed === null ? null : Number(passed),
    producerPassed: passed,
    scored: passed !== null && evidence.length === 0,
    hasPatch: typeof patch === "string" ? patch.trim() !== "" : null,
    sandboxes: [...new Set([...sandboxes, ...(told ? [told] : [])])],
    error: errorWords(evidence),
    config: configOf(runs),
    evidence: evidence.length === 0 && passed === false ? [...HONEST_ZERO] : evidence,
  });
}

/** 0-based; a row without the field is of the attempt that its file is named after. */
function attemptOf(row: JsonObject, payload: Payload, context: FormatContext): number {
  const named = /critic_attempt_(\d+)/.exec(baseName(nameOf(payload, context)))?.[1];
  const attempt = countOf(row, "attempt") ?? (named === undefined ? 1 : Number(named));
  return Math.max(0, attempt - 1);
}

/** The benchmarks judge elsewhere; some put the answer into the row. */
function passedOf(row: JsonObject): boolean | null {
  const result = objectAt(row, "test_result");
  return (
    booleanOf(objectAt(result, "report"), "resolved") ?? booleanOf(result, "resolved", "is_correct", "passed") ?? null
  );
}

function evidenceOf(row: JsonObject): Evidence[] {
  const error = textOf(row, "error");
  return error ? [recordError(error.replace(WRAPPED, ""), undefined)] : [];
}

/** Boxes of this row's own attempt: earlier attempts have rows of their own. */
function runsOf(row: JsonObject): JsonObject[] {
  const attempt = numberOf(row, "attempt") ?? 1;
  return objectsOf(row, "runtime_runs").filter((run) => (numberOf(run, "critic_attempt") ?? attempt) === attempt);
}

function configOf(runs: readonly JsonObject[]): FlatConfig {
  const config: FlatConfig = {};
  const factor = numberOf(runs.at(-1), "resource_factor");
  if (factor !== undefined) flatten(config, "resources.factor", factor, 0);
  return config;
}
