/** Trajectory files of mini-swe-agent and SWE-agent: only how the attempt ended is read, never what was said in it. */
import type { Format, FormatContext, Payload, Sink } from "../format";
import { blankRollout } from "./blank-rollout";
import { baseName, nameOf } from "./file-names";
import { sandboxIn } from "./ids-in-text";
import { isObject, type JsonObject, numberOf, objectAt, objectOf, textOf, typeWord } from "./json-fields";
import { errorWords, rejectRecord } from "./record-error";
import { endConfig, endEvidence } from "./trajectory-end";

const LOOKS = /"trajectory_format"\s*:|"exit_status"\s*:/;

export const agentTrajectory: Format = {
  name: "agent-trajectory",
  title: "Trajectory files of mini-swe-agent and SWE-agent",
  unit: "document",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const object = objectOf(payload);
    return (
      object !== null && isObject(object.info) && (Array.isArray(object.trajectory) || "trajectory_format" in object)
    );
  },
  read: readTrajectory,
};

function readTrajectory(payload: Payload, sink: Sink, context: FormatContext): void {
  const file = objectOf(payload);
  const info = objectAt(file, "info");
  const status = info?.exit_status;
  if (!file || !info) {
    rejectRecord(payload, sink, null);
    return;
  }
  if (status !== undefined && status !== null && typeof status !== "string") {
    rejectRecord(payload, sink, `info.exit_status must be a string, got ${typeWord(status)}`);
    return;
  }
  const end = endEvidence(info, status ?? null);
  const evidence = end ? [end] : [];
  const sandbox = sandboxIn([textOf(info, "exception_str"), textOf(info, "traceback")].join("\n"));
  const submission = info.submission;
  sink.rollout(payload, {
    ...blankRollout(taskOf(file, payload, context)),
    agent: textOf(file, "trajectory_format")?.replace(/-[\d.]+$/, "") ?? "swe-agent",
    hasPatch: typeof submission === "string" ? submission.trim() !== "" : null,
    sandboxes: sandbox ? [sandbox] : [],
    error: errorWords(evidence),
    config: endConfig(info),
    evidence,
  });
}

/** SWE-agent's file names its instance only by its own name. */
function taskOf(file: JsonObject, payload: Payload, context: FormatContext): string {
  const named = textOf(file, "instance_id") ?? numberOf(file, "instance_id")?.toString();
  return named ?? (baseName(nameOf(payload, context)).replace(/\.traj(?:\.json)?$/, "") || "unnamed");
}
