/**
 * verifiers' records, one a line: an episode with the traces of its agents (`traces.jsonl`, prime-rl's rollouts too), and the rows
 * of its older `results.jsonl`. Each trace is a rollout; an episode that failed before any trace is one as well.
 */
import type { Format, Payload, Sink } from "../format";
import { isObject, type JsonObject, jsonFault, objectOf, typeWord } from "./json-fields";
import { rejectRecord } from "./record-error";
import { readLegacyRow } from "./verifiers-legacy";
import { rolloutsOfEpisode } from "./verifiers-trace";

const LOOKS = /"traces"\s*:|"stop_condition"\s*:|"example_id"\s*:/;

export const verifiers: Format = {
  name: "verifiers",
  title: "verifiers and prime-rl rollouts: traces.jsonl, and results.jsonl of older versions",
  unit: "line",
  archive: "none",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const object = objectOf(payload);
    if (!object) return payload.json === undefined && /"traces"\s*:\s*\[/.test(payload.text) && cut(payload.text);
    return isEpisode(object) || isTrace(object) || isLegacy(object);
  },
  read(payload, sink, context) {
    const record = objectOf(payload);
    if (!record) {
      rejectRecord(payload, sink, null);
      return;
    }
    if (isLegacy(record)) {
      readLegacyRow(record, payload, sink, context);
      return;
    }
    const episode = isEpisode(record) ? record : { task: record.task, ok: record.ok, errors: [], traces: [record] };
    readEpisode(episode, payload, sink);
  },
};

function cut(text: string): boolean {
  return jsonFault(text).code === "incomplete";
}

function isEpisode(object: JsonObject): boolean {
  return Array.isArray(object.traces) && "task" in object && "errors" in object;
}

function isTrace(object: JsonObject): boolean {
  return "stop_condition" in object && "nodes" in object && "rewards" in object && isObject(object.task);
}

function isLegacy(object: JsonObject): boolean {
  return "example_id" in object && "is_completed" in object && "reward" in object;
}

function readEpisode(episode: JsonObject, payload: Payload, sink: Sink): void {
  if (!isObject(episode.task)) {
    rejectRecord(payload, sink, `task must be an object, got ${typeWord(episode.task)}`);
    return;
  }
  for (const rollout of rolloutsOfEpisode(episode)) sink.rollout(payload, rollout);
}
