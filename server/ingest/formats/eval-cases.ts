/** Results of evaluation scripts: one case a line with a score, and an exception where it failed. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, SeenRollout, Sink } from "../format";
import { HONEST_ZERO, UNNUMBERED } from "./blank-rollout";
import { exceptionLine, exceptionRepr } from "./exceptions";
import { sandboxFields, sandboxIn } from "./ids-in-text";
import { booleanOf, countFault, isCount, type JsonObject, numberOf, objectOf, textOf, typeWord } from "./json-fields";
import { timeOf } from "./times";

const TASK_FIELDS = ["case", "case_id", "task", "task_id", "instance_id", "example_id"] as const;
const SCORE_FIELDS = ["score", "reward"] as const;
const INDEX_FIELDS = ["rollout_index", "repeat", "sample", "trial"] as const;

export const evalCases: Format = {
  name: "eval-cases",
  title: "Evaluation results, one scored case a line",
  unit: "line",
  archive: "none",
  accepts(payload) {
    if (payload.json === undefined && !/"(?:score|reward)"\s*:/.test(payload.text)) return false;
    const object = objectOf(payload);
    return object !== null && TASK_FIELDS.some((name) => name in object) && SCORE_FIELDS.some((name) => name in object);
  },
  read: readCase,
};

function readCase(payload: Payload, sink: Sink, context: FormatContext): void {
  const row = objectOf(payload) ?? {};
  const task = textOf(row, ...TASK_FIELDS) ?? numberOf(row, ...TASK_FIELDS)?.toString();
  const scoreName = SCORE_FIELDS.find((name) => name in row) ?? "score";
  const score = row[scoreName];
  if (task === undefined || (score !== null && (typeof score !== "number" || !Number.isFinite(score)))) {
    const name = task === undefined ? (TASK_FIELDS.find((one) => one in row) ?? "case") : scoreName;
    const message = `${name} must be a ${task === undefined ? "string" : "number"}, got ${typeWord(row[name])}`;
    sink.reject(payload.line, "invalid_type", message, payload.text.slice(0, 500));
    return;
  }
  const index = INDEX_FIELDS.find((name) => typeof row[name] === "number" && !isCount(row[name]));
  const fault = countFault(row, "attempt", ...(index ? [index] : []));
  if (fault) sink.reject(payload.line, "invalid_type", fault, payload.text.slice(0, 500));
  else sink.rollout(payload, rolloutOf(row, task, score as number | null, context));
}

function rolloutOf(
  row: JsonObject,
  task: string,
  reward: number | null,
  { params, receivedAt }: FormatContext,
): SeenRollout {
  const clock = { tz: params.tz, receivedAt };
  const error = errorOf(row);
  const told = sandboxIn(error?.message ?? "");
  return {
    task,
    index: numberOf(row, ...INDEX_FIELDS) ?? UNNUMBERED,
    attempt: numberOf(row, "attempt") ?? 0,
    agent: textOf(row, "agent") ?? null,
    startedAt: timeOf(row.started_at ?? row.start_time, clock)?.at ?? null,
    endedAt: timeOf(row.finished_at ?? row.end_time ?? row.ts ?? row.timestamp, clock)?.at ?? null,
    reward,
    producerPassed: booleanOf(row, "passed", "resolved", "is_correct") ?? null,
    masked: null,
    scored: reward !== null,
    emptyOutput: null,
    hasPatch: null,
    sandboxes: [...new Set([...sandboxFields(row), ...(told ? [told] : [])])],
    node: textOf(row, "node") ?? null,
    error: error ? (error.message ?? error.errorType ?? "failed").slice(0, 2000) : null,
    config: {},
    evidence: evidenceOf(error, reward),
  };
}

function evidenceOf(error: Evidence | null, reward: number | null): Evidence[] {
  if (error) return [error];
  return reward !== null && reward <= 0 ? [...HONEST_ZERO] : [];
}

function errorOf(row: JsonObject): Evidence | null {
  const type = textOf(row, "exception_type", "error_type")?.split(".").at(-1);
  const message = textOf(row, "exception_message", "exception", "error") ?? (type ? textOf(row, "message") : undefined);
  if (type === undefined && message === undefined) return null;
  const evidence: Evidence = { layer: "record", kind: "error" };
  if (message) evidence.message = message;
  const named = type ?? (message ? (exceptionLine(message) ?? exceptionRepr(message))?.type : undefined);
  if (named) evidence.errorType = named;
  return evidence;
}
