/**
 * inspect_ai's logs: a `.json` log is one document; in an `.eval` archive the header and each sample are files of their own.
 * A log that is a retry holds the same samples under the same task id: the sample that began last is the attempt that counts.
 */
import type { Format, FormatContext, Payload, Sink } from "../format";
import { baseName, nameOf } from "./file-names";
import { readSample } from "./inspect-sample";
import { countOf, isObject, type JsonObject, objectAt, objectOf, objectsOf, textOf, typeWord } from "./json-fields";
import { rejectRecord } from "./record-error";

/** More would be a mistake, and a plan of millions. */
const MOST_EPOCHS = 1000;
const LOOKS = /"epoch"\s*:|"task_id"\s*:/;
/** `2026-05-01T10-00-00+00-00_my-task_<id>.eval`, also as the folder that its entries stand in. */
const FILE = /^\d{4}-\d\d-\d\dT[\d-]+(?:[+-]\d\d-\d\d|Z)?_(.+)_([A-Za-z0-9]{10,40})\.(?:eval|json)$/;

export const inspectEval: Format = {
  name: "inspect-eval",
  title: "inspect_ai logs, as one JSON document or as the files of an .eval archive",
  unit: "document",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*[{[]/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const object = objectOf(payload);
    return object !== null && (isSample(object) || isLog(object) || isSummary(object));
  },
  read(payload, sink, context) {
    const file = objectOf(payload);
    if (!file) {
      rejectRecord(payload, sink, null);
      return;
    }
    if (isSample(file)) readSample(file, payload, sink, { context, run: runOfName(nameOf(payload, context)) });
    else if (isLog(file)) readLog(file, payload, sink, context);
    else sink.routine(payload);
  },
};

function isSample(object: JsonObject): boolean {
  return "id" in object && "epoch" in object && "target" in object && ("messages" in object || "events" in object);
}

/** A log, an archive's header or its journal's start. */
function isLog(object: JsonObject): boolean {
  const spec = object.eval;
  return isObject(spec) && "task" in spec && "dataset" in spec && "model" in spec;
}

/** Samples once more without their events, in the archive's summaries and its journal. */
function isSummary(object: JsonObject): boolean {
  return "id" in object && "epoch" in object && "target" in object && "scores" in object;
}

function readLog(log: JsonObject, payload: Payload, sink: Sink, context: FormatContext): void {
  if (log.samples !== undefined && log.samples !== null && !Array.isArray(log.samples)) {
    rejectRecord(payload, sink, `samples must be an array, got ${typeWord(log.samples)}`);
    return;
  }
  const spec = objectAt(log, "eval");
  const run = runOfSpec(spec) ?? runOfName(nameOf(payload, context));
  const epochs = Math.min(MOST_EPOCHS, countOf(objectAt(spec, "config"), "epochs") ?? 1);
  for (const id of plannedIds(spec)) {
    for (let epoch = 1; epoch <= epochs; epoch++) sink.planned({ task: id, index: epoch - 1, run });
  }
  for (const sample of objectsOf(log, "samples")) readSample(sample, payload, sink, { context, run });
  sink.routine(payload);
}

function plannedIds(spec: JsonObject | undefined): string[] {
  const ids = objectAt(spec, "dataset")?.sample_ids;
  return Array.isArray(ids)
    ? ids.filter((id) => (typeof id === "string" && id !== "") || typeof id === "number").map(String)
    : [];
}

/** All logs of one task are one run, also those of its retries. */
function runOfSpec(spec: JsonObject | undefined): string | null {
  const [task, id] = [textOf(spec, "task"), textOf(spec, "task_id")];
  return task && id ? `${baseName(task).replace(/[^A-Za-z0-9]+/g, "-")}_${id}` : null;
}

/** The run that a log's file is named after; null for a file that got another name. */
export function runOfName(name: string): string | null {
  for (const part of name.split("/").reverse()) {
    const match = FILE.exec(part);
    if (match) return `${match[1]?.replace(/[^A-Za-z0-9]+/g, "-")}_${match[2]}`;
  }
  return null;
}
