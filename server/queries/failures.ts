/** Incidents counted by up to two dimensions; fatal ones and the rollouts they ended apart. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { FailureDim, FailureGroup, List } from "@/server/domain/answers";
import { CoalmineError } from "@/server/domain/errors";
import type { IncidentCount, IncidentDim, IncidentFilter, Page, Store } from "@/server/domain/store";
import { heavyOf } from "./heavy";
import { iso } from "./iso";
import { type IncidentsInput, incidentFilter } from "./list-incidents";
import { memoOf } from "./memo";
import { pageSorted, type Rank } from "./paging";
import { patienceOf } from "./patience";
import { labelsFor, readDirectory } from "./run-directory";
import { PATIENCE_MS } from "./run-summary";

export interface FailuresInput extends IncidentsInput {
  by: FailureDim[];
  page: Page;
  /** Wait until all is counted. */
  whole?: boolean;
}

/** `pending`: a count over all runs takes longer than a page waits; ask again. */
export type FailuresAnswer = List<FailureGroup> & { pending?: boolean };

const DIM: Record<FailureDim, IncidentDim> = {
  family: "family",
  class: "class",
  node: "node",
  config: "configKey",
  run: "run",
  source: "source",
  hour: "bucket",
  day: "bucket",
};
const BUCKET_MS = { hour: 3_600_000, day: 86_400_000 };

/** Throws `invalid` for more than two dimensions, one twice, or hour together with day. */
export async function failures(store: Store, input: FailuresInput): Promise<FailuresAnswer> {
  const { by, page, whole, ...asked } = input;
  requireDims(by);
  const directory = await readDirectory(store);
  const filter = await incidentFilter(store, asked, labelsFor(directory, asked.runs));
  if (filter === null) return { items: [], next: null };
  const bucketMs = by.includes("day") ? BUCKET_MS.day : BUCKET_MS.hour;
  const memo = await memoOf(store, { mayBeOld: filter.runs === undefined, runs: askedOfRunsAlone(filter) });
  const dims = by.map((dim) => DIM[dim]);
  const question = { filter, dims, bucketMs };
  const aliases = directory.settings.map((one) => [one.id, one.aliases]);
  const ranked = memo.once(`failures ${JSON.stringify([question, by, aliases])}`, async () => {
    const rows = await (filter.runs
      ? store.countIncidents(filter, dims, { bucketMs })
      : heavyOf(store).countedIncidents(question));
    return merge(rows, by, directory).map((group) => ({ group, rank: rankOf(group) }));
  });
  const groups = await patienceOf(whole ? Number.POSITIVE_INFINITY : PATIENCE_MS).wait(ranked);
  if (groups === null) return { items: [], next: null, pending: true };
  const { items, next } = pageSorted(groups, ({ rank }) => rank, page);
  return { items: items.map(({ group }) => group), next };
}

function rankOf({ incidents, key }: FailureGroup): Rank {
  return [incidents, JSON.stringify(key)];
}

/** A filter that lets in evidence without a run is about everything. */
function askedOfRunsAlone({ runs, orWithoutRun }: IncidentFilter): string[] | undefined {
  return orWithoutRun ? undefined : runs;
}

function requireDims(by: readonly FailureDim[]): void {
  if (by.length > 2) throw new CoalmineError("invalid", "by: at most two dimensions");
  if (new Set(by.map((dim) => DIM[dim])).size < by.length) {
    throw new CoalmineError("invalid", `by: ${by.join(" and ")} cannot be combined`);
  }
}

/** Labels of one run become one group. */
function merge(rows: readonly IncidentCount[], by: readonly FailureDim[], directory: RunDirectory): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const row of rows) {
    const key = Object.fromEntries(by.map((dim, i) => [dim, shown(dim, row.key[i] ?? null, directory)]));
    const id = JSON.stringify(key);
    const { incidents, fatal, absorbed, teardown, unknown, rollouts, sandboxes } = row;
    const known = groups.get(id);
    if (!known) {
      groups.set(id, { key, incidents, fatal, absorbed, teardown, unknown, rollouts, sandboxes });
      continue;
    }
    known.incidents += incidents;
    known.fatal += fatal;
    known.absorbed += absorbed;
    known.teardown += teardown;
    known.unknown += unknown;
    known.rollouts += rollouts;
    known.sandboxes += sandboxes;
  }
  return [...groups.values()];
}

function shown(dim: FailureDim, value: string | null, directory: RunDirectory): string | null {
  if (value === null) return null;
  if (dim === "hour" || dim === "day") return iso(Number(value));
  return dim === "run" ? directory.ownerOf(value) : value;
}
