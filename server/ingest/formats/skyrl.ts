/**
 * SkyRL's mini-swe-agent files, `step_<n>/<train|eval>/<instance>_<repeat>.json`: a trajectory with a reward. Its `eval_error` is mostly
 * the end of a test's output, which proves nothing; only the sentence that the verifier's own sandbox could not be made does.
 */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { baseName, indexOfName, nameOf } from "./file-names";
import { sandboxIn } from "./ids-in-text";
import { booleanOf, countFault, countOf, type JsonObject, objectAt, objectOf, textOf, typeWord } from "./json-fields";
import { errorWords, recordError, rejectRecord } from "./record-error";
import { endConfig, endEvidence } from "./trajectory-end";

const LOOKS = /"eval_error"\s*:/;
const NO_SANDBOX = /^Env creation failed with /;
/** Repeats of one step: their numbers stay below it. */
const REPEATS = 1000;

export const skyrl: Format = {
  name: "skyrl",
  title: "SkyRL trajectories of mini-swe-agent, one file an attempt",
  unit: "document",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const file = objectOf(payload);
    return file !== null && "eval_error" in file && "reward" in file && objectAt(file, "info") !== undefined;
  },
  read: readFile,
};

function readFile(payload: Payload, sink: Sink, context: FormatContext): void {
  const file = objectOf(payload);
  const info = objectAt(file, "info");
  if (!file || !info) {
    rejectRecord(payload, sink, null);
    return;
  }
  const { reward } = file;
  if (reward !== null && typeof reward !== "number") {
    rejectRecord(payload, sink, `reward must be a number, got ${typeWord(reward)}`);
    return;
  }
  const fault = countFault(file, "repetition_id");
  if (fault) {
    rejectRecord(payload, sink, fault);
    return;
  }
  const evidence = evidenceOf(file, info);
  const error = errorWords(evidence);
  const resolved = booleanOf(objectAt(info, "submission"), "resolved") ?? null;
  const told = sandboxIn([textOf(info, "traceback"), error].join("\n"));
  sink.rollout(payload, {
    ...blankRollout("unnamed"),
    ...keyOf(file, info, nameOf(payload, context)),
    agent: "mini-swe-agent",
    reward,
    producerPassed: resolved,
    scored: reward !== null && error === null,
    sandboxes: told ? [told] : [],
    error,
    config: endConfig(info),
    evidence: error === null && reward !== null && reward <= 0 ? [...HONEST_ZERO] : evidence,
  });
}

function evidenceOf(file: JsonObject, info: JsonObject): Evidence[] {
  const end = endEvidence(info, textOf(info, "exit_status") ?? null);
  const told = textOf(file, "eval_error");
  const judge =
    told && NO_SANDBOX.test(told)
      ? recordError(told.replace(NO_SANDBOX, ""), undefined, { phase: "verify", operation: "create" })
      : null;
  return [...(end ? [end] : []), ...(judge ? [judge] : [])];
}

/** The same instance comes back at later steps, so the step is part of which repeat it is. */
function keyOf(file: JsonObject, info: JsonObject, name: string): { task: string; index: number } {
  const stem = baseName(name).replace(/\.json$/, "");
  const repeat = /_(\d+)$/.exec(stem)?.[1];
  const named = textOf(file, "instance_id") ?? textOf(objectAt(info, "submission"), "instance_id");
  const task = named ?? (stem.replace(/_\d+$/, "") || "unnamed");
  const step = /(?:^|\/)step_(\d+)\//.exec(name)?.[1];
  const number = countOf(file, "repetition_id") ?? (repeat === undefined ? undefined : Number(repeat));
  if (number === undefined || number >= REPEATS) return { task, index: indexOfName(name) };
  return { task, index: Number(step ?? 0) * REPEATS + number };
}
