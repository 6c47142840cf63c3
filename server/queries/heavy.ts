/**
 * What takes long to compute, by name: resampling and permutation tests. Where the process has a thread for it
 * (`heavyElsewhere`), it runs there and never holds up the web process; else it runs here.
 */
import type { Store } from "@/server/domain/store";
import { keepInMemory } from "./by-content";
import { comparedExactly, comparedRuns } from "./heavy-compare";
import { countedIncidents } from "./heavy-incident-counts";
import { countedNodes } from "./heavy-node-counts";
import { nodeStrata, nodeTests } from "./heavy-nodes";
import { runScoresOf, taskRate } from "./heavy-scores";
import type { HeavyWork } from "./heavy-work";

export const HEAVY = {
  runScoresOf,
  taskRate,
  nodeTests,
  nodeStrata,
  comparedRuns,
  comparedExactly,
  countedNodes,
  countedIncidents,
};
export type HeavyName = keyof typeof HEAVY;
/** Those that count and resample nothing: they never wait behind one that does. */
export const COUNTED: readonly HeavyName[] = ["comparedExactly", "countedNodes", "countedIncidents"];
/** The heavy questions, without what they are answered with. */
export type Heavy = {
  [K in HeavyName]: (input: Parameters<(typeof HEAVY)[K]>[1]) => ReturnType<(typeof HEAVY)[K]>;
};

const byStore = new WeakMap<Store, Heavy>();

/** From now on heavy questions to `store` are answered by `heavy`. */
export function heavyElsewhere(store: Store, heavy: Heavy): void {
  byStore.set(store, heavy);
}

export function heavyOf(store: Store): Heavy {
  const known = byStore.get(store) ?? heavyHere({ store, keeper: keepInMemory(500) });
  byStore.set(store, known);
  return known;
}

/** Each heavy question answered in this thread. */
export function heavyHere(work: HeavyWork): Heavy {
  const ask = HEAVY as Record<HeavyName, (work: HeavyWork, input: never) => Promise<unknown>>;
  const names = Object.keys(HEAVY) as HeavyName[];
  return Object.fromEntries(names.map((name) => [name, (input: never) => ask[name](work, input)])) as Heavy;
}
