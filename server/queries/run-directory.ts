/** Which run labels are one run: aliases are applied here, when read, so they hold for old evidence too. */
import { CoalmineError } from "@/server/domain/errors";
import type { RunFacts, RunSettings } from "@/server/domain/run";
import type { Store } from "@/server/domain/store";

export interface RunScope {
  id: string;
  /** The run's own label first, then its aliases. */
  labels: string[];
  settings: RunSettings | null;
}

export interface RunDirectory {
  /** The run that a label counts as: itself unless it is an alias. */
  ownerOf(label: string): string;
  scopeOf(label: string): RunScope;
  settings: readonly RunSettings[];
}

export async function readDirectory(store: Store): Promise<RunDirectory> {
  return directoryOf(await store.allRunSettings());
}

/** Aliases of aliases count too; a ring of aliases leaves each of its runs on its own. */
export function directoryOf(settings: readonly RunSettings[]): RunDirectory {
  const byId = new Map(settings.map((one) => [one.id, one]));
  const parent = new Map<string, string>();
  for (const one of settings) for (const alias of one.aliases) if (alias !== one.id) parent.set(alias, one.id);
  const ownerOf = (label: string): string => {
    const seen = new Set([label]);
    let current = label;
    for (let next = parent.get(current); next !== undefined; next = parent.get(current)) {
      if (seen.has(next)) return label;
      seen.add(next);
      current = next;
    }
    return current;
  };
  const labelsOf = new Map<string, string[]>();
  for (const alias of parent.keys()) {
    const owner = ownerOf(alias);
    if (owner !== alias) labelsOf.set(owner, [...(labelsOf.get(owner) ?? []), alias]);
  }
  return {
    ownerOf,
    scopeOf(label) {
      const id = ownerOf(label);
      return { id, labels: [id, ...(labelsOf.get(id) ?? []).sort()], settings: byId.get(id) ?? null };
    },
    settings,
  };
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
