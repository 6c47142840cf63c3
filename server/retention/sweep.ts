/** Lets go of all that is older than a time: whole runs, then whole subjects, then what is left of deliveries. */

import type { CaseFile } from "@/server/derive/case-file";
import { gatherCases, type LabelsOf } from "@/server/derive/gather";
import { directoryOf } from "@/server/derive/run-directory";
import { settleQueued } from "@/server/derive/settle-queued";
import type { Observation } from "@/server/domain/facts";
import type { Ref } from "@/server/domain/refs";
import type { Store } from "@/server/domain/store";
import { runsBefore } from "./old-runs";

export interface Swept {
  observations: number;
  runs: string[];
}

const CHUNK = 200;

/** Verdicts of older rollouts in runs that stay are frozen first: what they were derived from may go. Stops between chunks. */
export async function sweep(store: Store, before: number, signal: AbortSignal): Promise<Swept> {
  const directory = directoryOf(await store.allRunSettings());
  const runs = await runsBefore(store, directory, before);
  for (const labels of runs.values()) {
    signal.throwIfAborted();
    await store.dropRun(labels);
  }
  if (runs.size > 0) await settleQueued(store);
  await store.freezeBefore(before);
  let observations = 0;
  for (const timed of [true, false])
    observations += await dropOld(store, { before, timed, signal, labelsOf: (run) => directory.scopeOf(run).labels });
  await store.dropBefore(before);
  return { observations, runs: [...runs.keys()] };
}

interface Dropping {
  before: number;
  timed: boolean;
  signal: AbortSignal;
  labelsOf: LabelsOf;
}

async function dropOld(store: Store, { before, timed, signal, labelsOf }: Dropping): Promise<number> {
  const looked = new Set<Ref>();
  let dropped = 0;
  let cursor: string | null = null;
  do {
    signal.throwIfAborted();
    const page: { items: Observation[]; next: string | null } = await store.observationsBefore(before, timed, {
      limit: CHUNK,
      cursor,
    });
    cursor = page.next;
    const fresh = [...new Set(page.items.flatMap((one) => one.refs[0] ?? []))].filter((ref) => !looked.has(ref));
    for (const ref of fresh) looked.add(ref);
    const { cases } = await gatherCases(store, fresh, labelsOf);
    const old = [...cases.values()].filter((file) => file.observations.length > 0 && newestOf(file) < before);
    const keys = [...new Set(old.flatMap(ownKeys))];
    if (old.length > 0) await store.dropSubjects({ keys, refs: [...new Set(old.flatMap((file) => file.members))] });
    dropped += keys.length;
    await new Promise((resolve) => setImmediate(resolve));
  } while (cursor !== null);
  return dropped;
}

/** Of its evidence and its rollouts; what has no time counts as old. */
function newestOf({ observations, rollouts }: CaseFile): number {
  const times = [...observations.map((one) => one.at), ...rollouts.map((one) => one.endedAt ?? one.startedAt)];
  return times.reduce<number>((newest, at) => (at !== null && at > newest ? at : newest), Number.NEGATIVE_INFINITY);
}

/** What it is about, and not what it reads as context: that goes with its own subject. */
function ownKeys({ observations, members }: CaseFile): string[] {
  const mine = new Set<Ref>(members);
  return observations.filter((one) => one.refs[0] !== undefined && mine.has(one.refs[0])).map((one) => one.key);
}
