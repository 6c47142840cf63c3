/** The runs of a store, and what is known of one of them over all of its labels. */
import { directoryOf, type RunDirectory, type RunScope } from "@/server/derive/run-directory";
import { CoalmineError } from "@/server/domain/errors";
import type { RunFacts } from "@/server/domain/run";
import type { Store } from "@/server/domain/store";

export async function readDirectory(store: Store): Promise<RunDirectory> {
  return directoryOf(await store.allRunSettings());
}

/** Run labels of a filter, with their aliases; undefined when nothing was asked for. */
export function labelsFor(directory: RunDirectory, runs: readonly string[] | undefined): string[] | undefined {
  if (!runs || runs.length === 0) return undefined;
  return [...new Set(runs.flatMap((run) => directory.scopeOf(run).labels))];
}

/** What facts say about one run, over all of its labels. */
export interface RunSpan {
  origin: RunFacts["origin"];
  firstAt: number | null;
  lastAt: number | null;
  receivedAt: number | null;
}

export function spanOf(facts: readonly RunFacts[]): RunSpan | null {
  const first = facts[0];
  if (!first) return null;
  const known = (pick: (one: RunFacts) => number | null) => facts.map(pick).filter((t): t is number => t !== null);
  return {
    origin: facts.some((one) => one.origin === "fleet") ? "fleet" : first.origin,
    firstAt: least(known((one) => one.firstAt)),
    lastAt: greatest(known((one) => one.lastAt)),
    receivedAt: greatest(known((one) => one.receivedAt)),
  };
}

/** The run that `label` belongs to. Throws `not_found` when neither facts nor settings name it. */
export async function requireRun(store: Store, label: string): Promise<{ scope: RunScope; span: RunSpan | null }> {
  const scope = (await readDirectory(store)).scopeOf(label);
  const span = spanOf(await store.runFacts({ runs: scope.labels }));
  if (span === null && scope.settings === null) throw new CoalmineError("not_found", `There is no run "${label}".`);
  return { scope, span };
}

function least(times: number[]): number | null {
  return times.length === 0 ? null : Math.min(...times);
}
function greatest(times: number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}
