/** terminal-bench's `results.json`, of one trial or of a run with all of its trials. `is_resolved: null` was never judged, though its accuracy counts it as wrong. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { indexOfName } from "./file-names";
import { isObject, type JsonObject, objectOf, textOf, typeWord } from "./json-fields";
import { errorWords, recordError, rejectRecord } from "./record-error";
import { timeOf } from "./times";

const LOOKS = /"is_resolved"\s*:|"failure_mode"\s*:|"pass_at_k"\s*:/;
/** Words for "nothing failed" and for "nobody knows". */
const SAYS_NOTHING = new Set(["unset", "none", "unknown"]);

export const terminalBench: Format = {
  name: "terminal-bench",
  title: "terminal-bench results of a trial or of a run",
  unit: "document",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const file = objectOf(payload);
    return (
      file !== null &&
      (isTrial(file) ||
        (Array.isArray(file.results) && ("accuracy" in file || "pass_at_k" in file || file.results.some(isTrial))))
    );
  },
  read(payload, sink, context) {
    const file = objectOf(payload);
    if (!file) {
      rejectRecord(payload, sink, null);
      return;
    }
    for (const trial of isTrial(file) ? [file] : (file.results as unknown[])) readTrial(trial, payload, sink, context);
  },
};

function isTrial(value: unknown): boolean {
  return isObject(value) && "task_id" in value && "is_resolved" in value && "failure_mode" in value;
}

function readTrial(trial: unknown, payload: Payload, sink: Sink, { params, receivedAt }: FormatContext): void {
  if (!isObject(trial) || !isTrial(trial)) {
    rejectRecord(payload, sink, `results[] must be trials, got ${typeWord(trial)}`);
    return;
  }
  const { task_id: task, is_resolved: resolved } = trial;
  if (typeof task !== "string" || task === "") {
    rejectRecord(payload, sink, `task_id must be a string, got ${typeWord(task)}`);
    return;
  }
  if (resolved !== null && typeof resolved !== "boolean") {
    rejectRecord(payload, sink, `is_resolved must be a boolean, got ${typeWord(resolved)}`);
    return;
  }
  const clock = { tz: params.tz, receivedAt };
  const evidence = resolved === true ? [] : failureOf(trial, resolved);
  const { index, run } = nameParts(textOf(trial, "trial_name"), task);
  sink.rollout(payload, {
    ...blankRollout(task),
    index,
    run,
    startedAt: timeOf(trial.trial_started_at, clock)?.at ?? null,
    endedAt: timeOf(trial.trial_ended_at, clock)?.at ?? null,
    reward: resolved === null ? null : Number(resolved),
    producerPassed: resolved,
    scored: resolved !== null,
    error: errorWords(evidence),
    evidence,
  });
}

function failureOf(trial: JsonObject, resolved: boolean | null): Evidence[] {
  const mode = textOf(trial, "failure_mode") ?? "unset";
  if (!SAYS_NOTHING.has(mode)) return [recordError(undefined, undefined, { producerClass: mode })];
  return resolved === false ? [...HONEST_ZERO] : [];
}

/** `<task>.<i>-of-<n>.<run>`. */
function nameParts(name: string | undefined, task: string): { index: number; run: string | null } {
  const match = /\.(\d+)-of-\d+\.(.+)$/.exec(name ?? "");
  if (match) return { index: Math.max(0, Number(match[1]) - 1), run: match[2] ?? null };
  return { index: name === undefined || name === task ? 0 : indexOfName(name), run: null };
}
