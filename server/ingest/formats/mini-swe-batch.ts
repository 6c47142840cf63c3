/**
 * What mini-swe-agent's batch runner keeps beside its trajectories: `preds.json` names every instance that it tried, `exit_statuses_*.yaml`
 * how each ended. An instance whose sandbox could not be made has no trajectory: it stands in these two alone.
 */
import type { Format, Payload, Sink } from "../format";
import { blankRollout } from "./blank-rollout";
import { isObject, type JsonObject, objectOf } from "./json-fields";
import { errorWords, rejectRecord } from "./record-error";
import { AGENT_ENDS, endEvidence } from "./trajectory-end";

const STATUSES = /^instances_by_exit_status:/;
const PREDICTION = /"model_patch"\s*:/;

export const miniSweBatch: Format = {
  name: "mini-swe-batch",
  title: "preds.json and exit_statuses_*.yaml of mini-swe-agent and SWE-agent batches",
  unit: "document",
  accepts(payload) {
    if (payload.json === undefined && STATUSES.test(payload.text)) return true;
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && PREDICTION.test(payload.text))) return false;
    const file = objectOf(payload);
    return file !== null && (isPrediction(file) || isPredictions(file));
  },
  continues: (text, soFar) => soFar !== undefined && STATUSES.test(soFar) && /^\s+\S|^- /.test(text),
  read(payload, sink) {
    const file = objectOf(payload);
    if (!file) {
      readStatuses(payload, sink);
      return;
    }
    for (const [task, one] of isPrediction(file) ? [[String(file.instance_id), file] as const] : Object.entries(file)) {
      if (isObject(one) && task !== "") sink.planned({ task, index: 0 });
    }
  },
};

function isPrediction(file: JsonObject): boolean {
  return (
    "model_patch" in file && typeof file.instance_id === "string" && !("reward" in file) && !("test_result" in file)
  );
}

function isPredictions(file: JsonObject): boolean {
  const all = Object.values(file);
  return all.length > 0 && all.every((one) => isObject(one) && isPrediction(one));
}

/** Ends that are the agent's own have a trajectory, which says more; an exception may be all that is left of its instance. */
function readStatuses(payload: Payload, sink: Sink): void {
  const byStatus = statusesIn(payload.text);
  if (byStatus === null) {
    rejectRecord(payload, sink, "instances_by_exit_status must be an object of lists");
    return;
  }
  for (const { status, task } of byStatus) {
    sink.planned({ task, index: 0 });
    const end = AGENT_ENDS.has(status) || /^(?:submitted|exit_|skipped)/.test(status) ? null : endEvidence({}, status);
    if (!end) continue;
    sink.rollout(payload, { ...blankRollout(task), index: 0, error: errorWords([end]), evidence: [end] });
  }
}

/** The file is a dump of one mapping of lists; null when a line is of another shape. */
function statusesIn(text: string): { status: string; task: string }[] | null {
  const found: { status: string; task: string }[] = [];
  let status: string | null = null;
  const [head = "", ...lines] = text.split("\n");
  if (!/:\s*(?:\{\})?$/.test(head)) return null;
  for (const line of lines.filter((one) => one.trim() !== "")) {
    const item = /^\s*- (.+)$/.exec(line)?.[1];
    if (item !== undefined && status !== null) found.push({ status, task: unquoted(item) });
    else if (/^\s+\S.*:(?: \[\])?$/.test(line)) status = unquoted(line.replace(/:(?: \[\])?$/, ""));
    else return null;
  }
  return found;
}

/** `null` is the end of an instance that nobody noted. */
function unquoted(text: string): string {
  const word = text.trim();
  const quoted = /^'(.*)'$/.exec(word)?.[1]?.replaceAll("''", "'") ?? /^"(.*)"$/.exec(word)?.[1];
  return quoted ?? word;
}
