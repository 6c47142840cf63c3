/** The idle gaps between the commands of a run's sandboxes, as far as what was ingested tells of each command. */
import { indexLinks, type LinkIndex, subjectAt } from "@/server/derive/who-is-who";
import type { Observation } from "@/server/domain/facts";
import { makeRef, type Ref, refKind } from "@/server/domain/refs";
import { type RolloutRow, rolloutRefs } from "@/server/domain/rollout";
import type { Store } from "@/server/domain/store";
import { labelsFor, readDirectory } from "./run-directory";

export interface RunGaps {
  /** Seconds, of each sandbox's commands in turn, in their order. */
  gapsS: number[];
  /** Sandboxes whose commands are known, and those of the run that are known at all. */
  sandboxes: { told: number; known: number };
  /** Most of the told sandboxes that were in use at the same time. */
  atOnce: number;
  /**
   * Who told of them. `server`: access lines, written when a command begins, to the second; so a gap holds the command before it.
   * `harness`: lines written when a command ended; so a gap holds the command after it. null: nobody told.
   */
  toldBy: "server" | "harness" | null;
}

/** Rollouts looked at: enough to know a run's habits. */
const MOST_ROLLOUTS = 500;
const CHUNK = 100;

/** All gaps empty when nothing that was ingested times the run's commands. Nothing is guessed. */
export async function runGaps(store: Store, input: { run: string }): Promise<RunGaps> {
  const directory = await readDirectory(store);
  const runs = labelsFor(directory, [input.run]);
  const { items } = await store.listRollouts({ runs }, { limit: MOST_ROLLOUTS, cursor: null });
  const times = new Map<Ref, Told>();
  for (let i = 0; i < items.length; i += CHUNK) await readTimes(store, items.slice(i, i + CHUNK), times);
  return gapsOf(times);
}

export interface Told {
  /** Epoch ms of each command. */
  server: number[];
  harness: number[];
}

async function readTimes(store: Store, rollouts: readonly RolloutRow[], times: Map<Ref, Told>): Promise<void> {
  const own = rollouts.map((one) => rolloutRefs(one).rollout);
  const named = rollouts.flatMap((one) => one.sandboxes.map((id) => makeRef("sandbox", one.cluster, id)));
  const up = await store.linksFrom(own);
  const linked = up.map((link) => link.to).filter((ref) => refKind(ref) === "sandbox");
  const sandboxes = [...new Set([...named, ...linked])];
  if (sandboxes.length === 0) return;
  const parts = await store.linksTo(sandboxes);
  const index = indexLinks([...up, ...parts]);
  for (const ref of sandboxes) if (!times.has(ref)) times.set(ref, { server: [], harness: [] });
  const refs = [...new Set([...sandboxes, ...own, ...parts.map((link) => link.from)])];
  for (const seen of await store.observationsOf(refs)) note(seen, index, times);
}

function note(seen: Observation, index: LinkIndex, times: Map<Ref, Told>): void {
  const { layer, kind, phase } = seen.evidence;
  if (seen.at === null || phase !== "exec" || (kind !== "success" && kind !== "exit")) return;
  if (layer !== "server" && layer !== "harness") return;
  const sandboxes = new Set(seen.refs.map((ref) => subjectAt(index, ref, seen.at)));
  for (const ref of sandboxes) times.get(ref)?.[layer].push(seen.at);
}

/** Of two tellers one is taken, the one that tells of more sandboxes: their times of one command differ. Pure. */
export function gapsOf(times: ReadonlyMap<Ref, Told>): RunGaps {
  const all = [...times.values()];
  const toldBy = (["server", "harness"] as const)
    .map((who) => ({ who, n: all.filter((told) => told[who].length > 1).length }))
    .reduce((best, one) => (one.n > best.n ? one : best), { who: null as RunGaps["toldBy"], n: 0 });
  const { who } = toldBy;
  if (who === null) return { gapsS: [], sandboxes: { told: 0, known: all.length }, atOnce: 0, toldBy: null };
  const told = all.map((one) => [...new Set(one[who])].sort((a, b) => a - b)).filter((one) => one.length > 1);
  const gapsS = told.flatMap((one) => one.slice(1).map((at, i) => (at - (one[i] ?? at)) / 1000));
  return { gapsS, sandboxes: { told: told.length, known: all.length }, atOnce: mostAtOnce(told), toldBy: who };
}

function mostAtOnce(told: readonly number[][]): number {
  const steps = told.flatMap((one) => [
    { at: one[0] ?? 0, by: 1 },
    { at: one.at(-1) ?? 0, by: -1 },
  ]);
  let [now, most] = [0, 0];
  for (const { by } of steps.sort((a, b) => a.at - b.at || b.by - a.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
