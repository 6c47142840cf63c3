/** verl's rollout dumps, `<global_step>.jsonl`: prompt, answer and score. It has no error field; only sandbox-fusion's status is a typed word. */
import { createHash } from "node:crypto";
import type { Evidence } from "@/server/domain/evidence";
import type { Format, Payload, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { type JsonObject, objectAt, objectOf, textOf, typeWord } from "./json-fields";
import { errorWords, recordError, rejectRecord } from "./record-error";

const LOOKS = /"gts"\s*:|"output"\s*:/;
/** What sandbox-fusion says when its service failed, not the program that it ran. */
const SERVICE = /^(?:api_error|sandbox_error)$/;

export const verl: Format = {
  name: "verl",
  title: "verl rollout dumps, one sample a line",
  unit: "line",
  archive: "none",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const row = objectOf(payload);
    return row !== null && ["input", "output", "score", "step"].every((name) => name in row);
  },
  read(payload, sink) {
    const row = objectOf(payload);
    if (!row) {
      rejectRecord(payload, sink, null);
      return;
    }
    readRow(row, payload, sink);
  },
};

function readRow(row: JsonObject, payload: Payload, sink: Sink): void {
  const { score, step, input } = row;
  if (typeof step !== "number" || !Number.isInteger(step)) {
    rejectRecord(payload, sink, `step must be an integer, got ${typeWord(step)}`);
    return;
  }
  if (score !== null && typeof score !== "number") {
    rejectRecord(payload, sink, `score must be a number, got ${typeWord(score)}`);
    return;
  }
  // A prompt has no name; the same one at another step is another task, since the policy is another.
  const prompt = createHash("sha256")
    .update(JSON.stringify(input ?? null))
    .digest("hex")
    .slice(0, 12);
  const status = textOf(row, "status", "sandbox_status") ?? textOf(objectAt(row, "reward_metadata"), "status");
  const failed: Evidence[] =
    status && SERVICE.test(status)
      ? [recordError(undefined, undefined, { producerClass: status, phase: "verify" })]
      : [];
  const scored = score !== null && failed.length === 0;
  sink.rollout(payload, {
    ...blankRollout(`step-${step}/${prompt}`),
    reward: score,
    scored,
    emptyOutput: typeof row.output === "string" ? row.output.trim() === "" : null,
    error: errorWords(failed),
    evidence: scored && score !== null && score <= 0 ? [...HONEST_ZERO] : failed,
  });
}
