import { classInfo } from "@/server/classify/taxonomy";
import type { FamilyCounts } from "@/server/domain/answers";
import type { FlatConfig } from "@/server/domain/rollout";
import type { ClassFacts, ConfigFacts, FindingInput, IncidentSample, NodeFacts } from "@/server/findings/finding";
import { wilson } from "@/server/stats/proportion";

const NONE: FamilyCounts = { disconnect: 0, proxy: 0, oom: 0, startup: 0, scheduling: 0, node: 0, other: 0 };

/** A run of 316 rollouts about which there is nothing to say; tests change what they are about. */
export function quietRun(change: Partial<FindingInput> = {}): FindingInput {
  return {
    run: "night",
    ended: true,
    rollouts: 316,
    finished: 316,
    planned: 316,
    missing: 0,
    missingListed: true,
    unattributed: 0,
    infraFailed: wilson(0, 316),
    unknownShare: wilson(0, 316),
    passAt1: 0.65,
    valid: { ok: true, reason: null },
    config: configOf({}),
    measuredIdleS: null,
    transportFellBack: 0,
    classes: [],
    nodes: { inRun: [], acrossRuns: [] },
    ...change,
  };
}

/** One config for all rollouts; `killed` of them died of memory. */
export function configOf(common: FlatConfig, effective: FlatConfig = {}, killed = 0): ConfigFacts {
  return {
    common,
    varying: {},
    effective,
    each: [{ values: common, rollouts: 316, byFamily: { ...NONE, oom: killed } }],
  };
}

/** A run with settings only. */
export function runWith(common: FlatConfig, change: Partial<FindingInput> = {}): FindingInput {
  return quietRun({ config: configOf(common), ...change });
}

export function lostTo(id: string, rollouts: number, change: Partial<ClassFacts> = {}): ClassFacts {
  const { title, family, owner } = classInfo(id);
  const counts = { incidents: rollouts, fatal: rollouts, absorbed: 0, teardown: 0, unknown: 0, rollouts };
  return { class: id, title, family, owner, ...counts, samples: [], ...change };
}

export function sample(change: Partial<IncidentSample>): IncidentSample {
  return { fatal: true, afterReadyMs: null, idleMs: null, subCause: null, rule: null, ...change };
}

export function nodeFacts(
  node: string,
  failures: number,
  rollouts: number,
  change: Partial<NodeFacts> = {},
): NodeFacts {
  const { low, high } = wilson(failures, rollouts) ?? { low: 0, high: 1 };
  const sentence = `It had ${failures} of ${rollouts}.`;
  return { node, verdict: "ok", rollouts, failures, expected: rollouts * 0.043, low, high, sentence, ...change };
}
