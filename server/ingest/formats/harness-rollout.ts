/** The rollout that a harness's own `finished … reward=` line reports, when it writes no records. */
import type { SeenRollout } from "../format";
import type { Fields } from "./harness-fields";
import type { LogLine } from "./log-line";

const WENT_WELL = /^(ok|success|done|completed|finished|passed)$/i;

/** Null when the line names no attempt or no reward. */
export function finishedRollout(fields: Fields, line: LogLine): SeenRollout | null {
  const name = fields.get("run") ?? fields.get("instance");
  const reward = Number(fields.get("reward"));
  if (name === undefined || !fields.has("reward") || !Number.isFinite(reward)) return null;
  const status = fields.get("status") ?? "";
  const honest = WENT_WELL.test(status);
  return {
    task: name,
    index: 0,
    attempt: 0,
    attemptName: name,
    agent: null,
    startedAt: null,
    endedAt: line.time?.at ?? null,
    reward,
    producerPassed: null,
    masked: null,
    scored: true,
    emptyOutput: null,
    hasPatch: null,
    sandboxes: [],
    node: null,
    error: honest ? null : `finished with status ${status}`,
    config: {},
    evidence: honest && reward === 0 ? [{ layer: "record", kind: "finished", finishedStatus: "failed" }] : [],
  };
}
