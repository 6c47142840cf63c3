/** A rollout of which nothing but its task is known; readers fill in what their record says. */
import type { Evidence } from "@/server/domain/evidence";
import type { SeenRollout } from "../format";

/** Records without an index are numbered by the sink, in their order. */
export const UNNUMBERED = -1;

export function blankRollout(task: string): SeenRollout {
  return {
    task,
    index: UNNUMBERED,
    attempt: 0,
    agent: null,
    startedAt: null,
    endedAt: null,
    reward: null,
    producerPassed: null,
    masked: null,
    scored: false,
    emptyOutput: null,
    hasPatch: null,
    sandboxes: [],
    node: null,
    error: null,
    config: {},
    evidence: [],
  };
}

/** An attempt that was judged and did not pass, with no error. */
export const HONEST_ZERO: readonly Evidence[] = [{ layer: "record", kind: "finished", finishedStatus: "failed" }];
