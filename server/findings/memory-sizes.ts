/** Memory limit and requests of a run: what was asked for, what Kubernetes set, and what each config lost at its limit. */
import type { ConfigFacts } from "./finding";
import { type Reading, readingIn, readings } from "./known-settings";

/** Memory of a machine by which packing is told, where nobody says how large the nodes are. */
const EXAMPLE_NODE = 256 * 2 ** 30;

export interface Size {
  bytes: number;
  /** What was asked for; null when only Kubernetes says. */
  reading: Reading | null;
}

/** Rollouts killed for memory by limit, most first; limit null where it is not known. */
export function killedByLimit(config: ConfigFacts): { limit: number | null; rollouts: number; killed: number }[] {
  const set = effective(config, "memoryLimit");
  const byLimit = new Map<number | null, { rollouts: number; killed: number }>();
  for (const one of config.each) {
    const asked = readingIn(one.values, "memoryLimit")?.value;
    const limit = set ?? (typeof asked === "number" ? asked : null);
    const known = byLimit.get(limit) ?? { rollouts: 0, killed: 0 };
    byLimit.set(limit, { rollouts: known.rollouts + one.rollouts, killed: known.killed + one.byFamily.oom });
  }
  return [...byLimit].map(([limit, counts]) => ({ limit, ...counts })).sort((a, b) => b.killed - a.killed);
}

/** The size that all rollouts have; null when it is not known or varies. */
export function sizeOf(config: ConfigFacts, id: "memoryLimit" | "memoryRequest" | "taskMemory"): Size | null {
  const all = readings(config, id);
  const reading = all.length === 1 ? (all[0] ?? null) : null;
  const set = id === "taskMemory" ? null : effective(config, id);
  if (set !== null) return { bytes: set, reading };
  return typeof reading?.value === "number" ? { bytes: reading.value, reading } : null;
}

function effective(config: ConfigFacts, name: string): number | null {
  const value = config.effective[name];
  return typeof value === "number" ? value : null;
}

/** Sandboxes that fit into a node's memory by what they reserve. */
export function fitting(request: number): { nodeGiB: number; sandboxes: number } {
  return { nodeGiB: EXAMPLE_NODE / 2 ** 30, sandboxes: Math.floor(EXAMPLE_NODE / request) };
}
