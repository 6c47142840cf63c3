/** The field's example, made up to its exact numbers: three runs over the same 125 tasks, four rollouts planned each. */
import type { ComparedRun } from "@/server/compare/compare-runs";
import type { ComparedRollout } from "@/server/compare/rollout-values";

interface Group {
  tasks: number;
  rollouts: number;
  passed: number;
  lost: number;
}

/** Losses and passes are dealt out so that those of one task are as unlike as their numbers allow. */
function rollouts(groups: readonly Group[]): ComparedRollout[] {
  let first = 0;
  return groups.flatMap((group) => {
    const slots = group.tasks * group.rollouts;
    const start = first;
    first += group.tasks;
    return Array.from({ length: slots }, (_, slot): ComparedRollout => {
      const task = `task-${String(start + (slot % group.tasks)).padStart(3, "0")}`;
      const index = Math.floor(slot / group.tasks);
      // The lost ones come first, the passed ones last, each over all tasks before a second time over any.
      if (slot < group.lost) return { task, index, verdict: "infra_failed", family: "oom", reward: 0 };
      if (slot >= slots - group.passed) return { task, index, verdict: "passed", family: null, reward: 1 };
      return { task, index, verdict: "failed", family: null, reward: 0 };
    });
  });
}

function config(memoryMib: number, keepaliveS: number, skipHealthCheck: boolean): ComparedRun["config"] {
  return {
    common: {
      "resources.memory_mib": memoryMib,
      "resource_requests.memory_mib": 2048,
      "connection.keepalive_expiry_s": keepaliveS,
      "create.skip_health_check": skipHealthCheck,
    },
    varying: {},
    effective: {},
  };
}

export const BASELINE: ComparedRun = {
  id: "swe-2gi",
  name: "2Gi requests = limits",
  rollouts: rollouts([
    { tasks: 33, rollouts: 4, passed: 66, lost: 17 },
    { tasks: 92, rollouts: 2, passed: 112, lost: 24 },
  ]),
  missing: 184,
  config: config(2048, 30, true),
};

export const CANDIDATE: ComparedRun = {
  id: "swe-8gi",
  name: "8Gi limits, 2Gi requests",
  rollouts: rollouts([
    { tasks: 15, rollouts: 4, passed: 34, lost: 4 },
    { tasks: 8, rollouts: 3, passed: 16, lost: 2 },
    { tasks: 102, rollouts: 2, passed: 140, lost: 13 },
  ]),
  missing: 212,
  config: config(8192, 30, true),
};

export const LATER: ComparedRun = {
  id: "swe-8gi-bounded",
  name: "8Gi limits, keep-alive 3 s",
  rollouts: rollouts([{ tasks: 35, rollouts: 2, passed: 47, lost: 3 }]),
  missing: 0,
  config: config(8192, 3, false),
};
