/** Trajectory files of mini-swe-agent and SWE-agent: only how the attempt ended is read, never what was said in it. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, Sink } from "../format";
import { blankRollout } from "./blank-rollout";
import { bounded } from "./bounded";
import { flatten } from "./gym-config";
import { errorText } from "./gym-errors";
import { sandboxIn } from "./ids-in-text";
import { isObject, type JsonObject, jsonFault, numberOf, objectAt, objectOf, textOf, typeWord } from "./json-fields";

const LOOKS = /"trajectory_format"\s*:|"exit_status"\s*:/;
const WENT_WELL = /^submitted$/i;
const EXCEPTION = /^[A-Z]\w*(?:Error|Exception|Timeout|Expired|NotFound|Disconnected)$/;

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
    const { code, message } = jsonFault(payload.text);
    sink.reject(payload.line, code, message, payload.text.slice(0, 500));
    return;
  }
  if (status !== undefined && status !== null && typeof status !== "string") {
    const message = `info.exit_status must be a string, got ${typeWord(status)}`;
    sink.reject(payload.line, "invalid_type", message, payload.text.slice(0, 500));
    return;
  }
  const evidence = evidenceOf(info, status ?? null);
  const raw = [textOf(info, "exception_str"), textOf(info, "traceback")].join("\n");
  const sandbox = sandboxIn(raw);
  const rollout = blankRollout(taskOf(file, payload, context));
  const submission = info.submission;
  sink.rollout(payload, {
    ...rollout,
    agent: textOf(file, "trajectory_format")?.replace(/-[\d.]+$/, "") ?? "swe-agent",
    hasPatch: typeof submission === "string" ? submission.trim() !== "" : null,
    sandboxes: sandbox ? [sandbox] : [],
    error: evidence ? (evidence.message ?? evidence.producerClass ?? "failed").slice(0, 2000) : null,
    config: configOf(info),
    evidence: evidence ? [evidence] : [],
  });
}

/** SWE-agent's file names its instance only by its own name. */
function taskOf(file: JsonObject, payload: Payload, { params }: FormatContext): string {
  const named = textOf(file, "instance_id") ?? numberOf(file, "instance_id")?.toString();
  const source = (payload.who.source ?? params.source).split("/").at(-1) ?? "";
  return named ?? (source.replace(/\.traj(?:\.json)?$/, "") || "unnamed");
}

function evidenceOf(info: JsonObject, status: string | null): Evidence | null {
  const told = errorText(textOf(info, "exception_str"), textOf(info, "traceback"));
  if (told === null && (status === null || WENT_WELL.test(status))) return null;
  const evidence: Evidence = { layer: "record", kind: "error", ...told };
  if (status !== null && EXCEPTION.test(status)) evidence.errorType ??= status;
  if (status !== null) evidence.producerClass = status;
  evidence.message = bounded(evidence.message ?? status ?? "failed");
  return evidence;
}

function configOf(info: JsonObject) {
  const config = {};
  flatten(config, "environment", objectAt(info, "config", "environment") ?? {}, 0);
  return config;
}
