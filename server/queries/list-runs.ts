/** All runs, newest first; a label that is some run's alias is no run of its own. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { List, RunSummary } from "@/server/domain/answers";
import type { RunFacts } from "@/server/domain/run";
import type { Page, Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import { type Memo, memoOf } from "./memo";
import { pageSorted, type Rank } from "./paging";
import { patienceOf } from "./patience";
import { readDirectory, spanOf } from "./run-directory";
import type { KnownRun } from "./run-summary";
import { PATIENCE_MS, summarise } from "./run-summary";

export interface ListRunsInput {
  /** Default: our users' fleet and the demo; canary runs only when asked for. */
  origins?: Origin[];
  /** Substring of id or name, case-insensitive. */
  text?: string;
  /** Only runs with a rollout record. */
  withRollouts?: boolean;
  page: Page;
  now: number;
  /** Wait for what is resampled and tested. */
  whole?: boolean;
}

export async function listRuns(store: Store, input: ListRunsInput): Promise<List<RunSummary>> {
  const memo = await memoOf(store, { mayBeOld: true });
  const directory = await readDirectory(store);
  const page = pageSorted(knownRuns(await allRunFacts(memo), directory, input), rankOf, input.page);
  const patience = patienceOf(input.whole ? Number.POSITIVE_INFINITY : PATIENCE_MS);
  const items = await Promise.all(
    page.items.map(async (run) => summarise(await memo.ofRuns(run.scope.labels), directory, { ...run, patience })),
  );
  return { items, next: page.next };
}

/** Every run label of any origin. */
export function allRunFacts(memo: Memo): Promise<RunFacts[]> {
  return memo.once("run-facts", () => memo.store.runFacts({}));
}

function knownRuns(all: readonly RunFacts[], directory: RunDirectory, input: Omit<ListRunsInput, "page">): KnownRun[] {
  const origins = input.origins ?? ["fleet", "demo"];
  const facts = new Map<string, RunFacts[]>();
  for (const one of all.filter((one) => origins.includes(one.origin))) {
    const owner = directory.ownerOf(one.run);
    facts.set(owner, [...(facts.get(owner) ?? []), one]);
  }
  if (origins.includes("fleet")) {
    const elsewhere = new Set(all.map((one) => directory.ownerOf(one.run)));
    for (const said of directory.settings) {
      const owner = directory.ownerOf(said.id);
      if (!elsewhere.has(owner) && !facts.has(owner)) facts.set(owner, []);
    }
  }
  const wanted = input.text?.toLowerCase();
  return [...facts]
    .filter(([, rows]) => !input.withRollouts || rows.some((one) => one.rollouts > 0))
    .map(([id, rows]) => ({ scope: directory.scopeOf(id), span: spanOf(rows), now: input.now }))
    .filter(({ scope }) => !wanted || `${scope.id} ${scope.settings?.name ?? ""}`.toLowerCase().includes(wanted));
}

function rankOf({ scope, span }: KnownRun): Rank {
  return [span?.lastAt ?? span?.receivedAt ?? scope.settings?.updatedAt ?? 0, scope.id];
}
