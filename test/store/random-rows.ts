/** Seeded random rows over small vocabularies, so that keys, refs and times meet often. */
import type { Fact, Link, Observation } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import type { RolloutRecord, RolloutVerdict } from "@/server/domain/rollout";
import type { FactRows } from "@/server/domain/store";
import { ORIGINS } from "@/server/domain/taxonomy-words";
import { randomBlock } from "./made-blocks";
import {
  madeFact,
  madeIncident,
  madeLink,
  madeObservation,
  madePlan,
  madeRollout,
  madeSighting,
  madeVerdict,
  rowsOf,
  T0,
} from "./made-rows";

export class Random {
  constructor(private state: number) {}

  /** 0 ≤ n < below, whole. */
  int(below: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * below);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }
  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.int(most + 1) }, make);
  }
}

// Text whose order by UTF-16 units differs from its order by UTF-8 bytes is in on purpose.
export const RUNS = ["r1", "r2", "R1", "\ufb01n", "\ud83d\ude80", "it's", null] as const;
export const NODES = ["n1", "n2", "\u00e9", null] as const;
export const CLASSES = ["pod.oom_killed", "unknown", "agent.limits", null] as const;
export const FAMILIES = ["oom", "other", null] as const;
export const KINDS = ["error", "event", "exec_event", "lifecycle"] as const;
export const FORMATS = ["execd", "gym"] as const;
export const SOURCES = ["s1", "s2"] as const;
export const TIMES = [T0, T0 + 1, T0 + 3_600_000, T0 - 86_400_000, -1, 0, null] as const;
export const REFS = Array.from({ length: 12 }, (_, i) => `${["sandbox", "pod", "ip"][i % 3]}:default/${i}`);
export const GROUPS = Array.from({ length: 8 }, (_, i) => `g${i}`);

export function randomObservation(r: Random): Observation {
  const text = r.pick(["a", "b", "caf\u00e9"]);
  return madeObservation({
    key: `k${r.int(60)}`,
    refs: [...new Set([r.pick(REFS), r.pick(REFS)])],
    at: r.pick(TIMES),
    line: 1 + r.int(3),
    run: r.pick(RUNS),
    node: r.pick(NODES),
    origin: r.pick(ORIGINS),
    label: r.pick(["l1", "l2", null]),
    text,
    class: r.pick(CLASSES),
    evidence: {
      layer: "execd",
      kind: r.pick(KINDS),
      ...(r.int(2) ? { message: r.pick([text, "other"]) } : {}),
      ...(r.int(3) ? {} : { count: r.int(3) }),
    },
  });
}

/** Id, group, run and task belong together, as they do where ids are hashes of them. */
export function randomRollout(r: Random): RolloutRecord {
  const n = r.int(24);
  const content = r.int(2);
  return madeRollout({
    id: `id${n}`,
    group: GROUPS[n % 8] as string,
    content: `c${content}`,
    run: RUNS[n % RUNS.length] as string | null,
    task: `Task ${n % 4}`,
    origin: r.pick(ORIGINS),
    source: r.pick(SOURCES),
    reward: content ? 0.25 * (n % 5) : null,
    masked: [true, false, null][n % 3] as boolean | null,
    startedAt: TIMES[n % TIMES.length] as number | null,
    endedAt: TIMES[(n + content) % TIMES.length] as number | null,
    node: r.pick(NODES),
    error: content ? `Boom ${n}` : null,
  });
}

export function randomVerdict(r: Random, record: RolloutRecord): RolloutVerdict {
  return madeVerdict(record, {
    verdict: r.pick(["passed", "failed", "infra_failed", "not_scored"] as const),
    effective: r.int(3) > 0,
    class: r.pick(CLASSES),
    family: r.pick(FAMILIES),
    node: r.pick(NODES),
    configKey: r.pick(["c1", "c2", null]),
    absorbed: r.int(3),
    at: r.pick(TIMES),
  });
}

export function randomIncident(r: Random): Incident {
  return madeIncident({
    id: `i${r.int(200)}`,
    ref: r.pick(REFS),
    class: r.pick(["pod.oom_killed", "unknown"]),
    family: r.pick(["oom", "other"] as const),
    outcome: r.pick(["fatal", "absorbed", "teardown", "unknown"] as const),
    origin: r.pick(ORIGINS),
    node: r.pick(NODES),
    run: r.pick(RUNS),
    rollout: r.pick(["id1", "id2", null]),
    sandbox: r.pick(["1", "2", null]),
    configKey: r.pick(["c1", null]),
    source: r.pick(SOURCES),
    firstAt: r.pick(TIMES),
    partOf: r.int(4) ? null : "i1",
  });
}

function randomLink(r: Random): Link {
  return madeLink(r.pick(REFS), r.pick(REFS), { since: r.pick(TIMES), how: r.pick(["ip", "uid"] as const) });
}

function randomFact(r: Random): Fact {
  const value = r.pick<Fact["value"]>(["r1", "n1", 1, "1", 10, 9, true]);
  return madeFact(r.pick(REFS), r.pick(["node", "run", "phase"]), value, { rank: r.int(3), at: r.pick(TIMES) });
}

export function randomRows(r: Random): FactRows {
  return rowsOf({
    observations: r.list(12, () => randomObservation(r)),
    links: r.list(4, () => randomLink(r)),
    facts: r.list(6, () => randomFact(r)),
    rollouts: r.list(5, () => randomRollout(r)),
    planned: r.list(4, () => {
      const n = r.int(8);
      return madePlan(GROUPS[n] as string, { run: RUNS[n % RUNS.length] as string | null, index: n });
    }),
    sightings: r.list(3, () =>
      madeSighting({
        ref: r.pick(REFS),
        run: r.pick(RUNS),
        format: r.pick(FORMATS),
        hour: r.pick(TIMES),
        lines: r.int(9),
      }),
    ),
    archive: r.list(2, () => randomBlock(r, { run: r.pick(RUNS), origin: r.pick(ORIGINS), times: TIMES })),
    rejects: r.list(2, () => ({ line: r.int(5), code: "incomplete" as const, message: "cut", sample: "" })),
    touched: r.list(4, () => r.pick(REFS)),
  });
}
