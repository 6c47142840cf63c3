/** The rollouts of a run, newest first; asked for `missing`, the planned ones that left no record. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { List, RolloutAnswer } from "@/server/domain/answers";
import type { PlannedRollout } from "@/server/domain/rollout";
import type { Page, RolloutFilter, Store } from "@/server/domain/store";
import { rolloutAnswer } from "./rollout-answer";
import { labelsFor, readDirectory, requireRun } from "./run-directory";

export interface ListRolloutsInput extends Omit<RolloutFilter, "runs"> {
  run?: string;
  page: Page;
}

/** Throws `not_found` for an unknown run, `invalid` for a cursor that is not ours. */
export async function listRollouts(store: Store, input: ListRolloutsInput): Promise<List<RolloutAnswer>> {
  const { run, page, ...filter } = input;
  if (run !== undefined) await requireRun(store, run);
  const directory = await readDirectory(store);
  const runs = labelsFor(directory, run === undefined ? undefined : [run]);
  if (runs && filter.verdicts?.length === 1 && filter.verdicts[0] === "missing") {
    const missing = await store.missingRollouts(runs, page);
    return { items: missing.items.map((planned) => missingAnswer(planned, directory)), next: missing.next };
  }
  const rows = await store.listRollouts({ ...filter, runs }, page);
  return { items: rows.items.map((row) => rolloutAnswer(row, directory)), next: rows.next };
}

function missingAnswer(planned: PlannedRollout, directory: RunDirectory): RolloutAnswer {
  const unknown = { class: null, family: null, confidence: null, masked: null, reward: null, node: null };
  const nothing = { sandbox: null, configKey: null, startedAt: null, endedAt: null, at: null, error: null };
  return {
    ...unknown,
    ...nothing,
    id: planned.group,
    run: planned.run === null ? null : directory.ownerOf(planned.run),
    task: planned.task,
    index: planned.index,
    attempt: 0,
    effective: true,
    verdict: "missing",
    reason: "Planned, and no record of it arrived.",
    suspect: false,
    absorbed: 0,
    incident: null,
    agent: null,
  };
}
