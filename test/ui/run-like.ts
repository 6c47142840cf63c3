import type { RunSummary } from "@/server/domain/answers";

/** A run without anything in it, but for what is given. */
export function runLike(given: Partial<RunSummary> & { id: string }): RunSummary {
  return {
    name: given.id,
    origin: "fleet",
    labels: {},
    notes: null,
    aliases: [],
    startedAt: null,
    endedAt: null,
    config: { common: {}, varying: {}, keys: [], effective: {} },
    planned: null,
    rollouts: 0,
    notFinished: null,
    missing: null,
    notScored: 0,
    masked: 0,
    unattributed: 0,
    infraFailed: null,
    byFamily: { disconnect: 0, proxy: 0, oom: 0, startup: 0, scheduling: 0, node: 0, other: 0 },
    absorbed: 0,
    unknownShare: null,
    passAt1: { asReported: null, infraExcluded: null, bounds: null },
    meanReward: { asReported: null, infraExcluded: null },
    nodes: 0,
    suspectNodes: [],
    valid: { ok: true, reason: null },
    sentence: "",
    lead: "",
    ...given,
  };
}
