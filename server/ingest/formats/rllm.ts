/** rLLM's evaluations: `results.json` with an item an attempt, and `episodes/episode_<n>_<task>.json`. Its score counts errors as wrong; here they are not scored. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, SeenRollout, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { baseName, nameOf } from "./file-names";
import { sandboxIn } from "./ids-in-text";
import {
  booleanOf,
  countFault,
  countOf,
  isObject,
  type JsonObject,
  numberOf,
  objectAt,
  objectOf,
  objectsOf,
  textOf,
  typeWord,
} from "./json-fields";
import { errorWords, recordError, rejectRecord } from "./record-error";

const LOOKS = /"is_correct"\s*:/;
/** How episodes end that had their chance. */
const ENDED = new Set(["env_done", "unknown"]);

export const rllm: Format = {
  name: "rllm",
  title: "rLLM evaluation results and episodes",
  unit: "document",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const file = objectOf(payload);
    return file !== null && (isResults(file) || isEpisode(file));
  },
  read(payload, sink, context) {
    const file = objectOf(payload);
    if (!file) {
      rejectRecord(payload, sink, null);
      return;
    }
    if (isEpisode(file)) {
      const fault = countFault(file, "eval_idx");
      if (fault) rejectRecord(payload, sink, fault);
      else sink.rollout(payload, episodeOf(file, payload, context));
      return;
    }
    if (!Array.isArray(file.items)) {
      rejectRecord(payload, sink, `items must be an array, got ${typeWord(file.items)}`);
      return;
    }
    for (const item of file.items) readItem(item, file, payload, sink);
  },
};

function isResults(file: JsonObject): boolean {
  return "items" in file && "dataset_name" in file && "score" in file;
}

function isEpisode(file: JsonObject): boolean {
  return Array.isArray(file.trajectories) && "is_correct" in file && "termination_reason" in file;
}

function readItem(item: unknown, file: JsonObject, payload: Payload, sink: Sink): void {
  const task = isObject(item) ? countOf(item, "idx") : undefined;
  if (!isObject(item) || task === undefined) {
    rejectRecord(payload, sink, `items[].idx must be a number, got ${typeWord(isObject(item) ? item.idx : item)}`);
    return;
  }
  const fault = countFault(item, "attempt");
  if (fault) {
    rejectRecord(payload, sink, `items[].${fault}`);
    return;
  }
  const error = textOf(item, "error");
  const evidence = error ? [recordError(error, undefined)] : [];
  const index = countOf(item, "attempt") ?? 0;
  sink.rollout(payload, {
    ...rolloutOf(String(task), index, evidence, item, numberOf(item, "reward")),
    agent: textOf(file, "agent") ?? null,
  });
}

function rolloutOf(
  task: string,
  index: number,
  evidence: Evidence[],
  record: JsonObject,
  reward: number | undefined,
): SeenRollout {
  const told = sandboxIn(evidence[0]?.message ?? "");
  const correct = booleanOf(record, "is_correct") ?? null;
  const error = errorWords(evidence);
  return {
    ...blankRollout(task),
    index,
    reward: error === null ? (reward ?? null) : null,
    producerPassed: error === null ? correct : null,
    scored: error === null,
    sandboxes: told ? [told] : [],
    error,
    evidence: evidence.length === 0 && correct === false ? [...HONEST_ZERO] : evidence,
  };
}

/** `id` is `<task>:<repeat>`; the file's own number tells repeats apart that share it. */
function episodeOf(file: JsonObject, payload: Payload, context: FormatContext): SeenRollout {
  const id = textOf(file, "id") ?? "";
  const task = textOf(objectAt(file, "task"), "id") ?? (id.replace(/:\d+$/, "") || "unnamed");
  const numbered = /^episode_(\d+)_/.exec(baseName(nameOf(payload, context)))?.[1];
  const repeat = countOf(file, "eval_idx") ?? (numbered === undefined ? undefined : Number(numbered));
  const index = repeat ?? Number(/:(\d+)$/.exec(id)?.[1] ?? 0);
  const reward = numberOf(objectsOf(file, "trajectories")[0], "reward");
  return rolloutOf(task, index, endOf(file), file, reward);
}

function endOf(file: JsonObject): Evidence[] {
  const reason = textOf(file, "termination_reason") ?? "unknown";
  const error = objectAt(file, "metadata", "error") ?? objectAt(file, "info", "error");
  const told = textOf(error, "message", "error_message") ?? textOf(objectAt(file, "metadata"), "error");
  if (told !== undefined || reason === "error")
    return [recordError(told, textOf(error, "traceback"), { producerClass: reason })];
  if (ENDED.has(reason)) return [];
  // A limit is the agent's: the episode is judged all the same.
  return booleanOf(file, "is_correct") === false ? [{ layer: "record", kind: "finished", finishedStatus: reason }] : [];
}
