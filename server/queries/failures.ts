/** Incidents counted by up to two dimensions; fatal ones and the rollouts they ended apart. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { FailureDim, FailureGroup, List } from "@/server/domain/answers";
import { CoalmineError } from "@/server/domain/errors";
import type { IncidentCount, IncidentDim, IncidentFilter, Page, Store } from "@/server/domain/store";
import { iso } from "./iso";
import { type IncidentsInput, incidentFilter } from "./list-incidents";
import { memoOf } from "./memo";
import { pageSorted } from "./paging";
import { labelsFor, readDirectory } from "./run-directory";

export interface FailuresInput extends IncidentsInput {
  by: FailureDim[];
  page: Page;
}

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
export async function failures(store: Store, input: FailuresInput): Promise<List<FailureGroup>> {
  const { by, page, ...asked } = input;
  requireDims(by);
  const directory = await readDirectory(store);
  const filter = await incidentFilter(store, asked, labelsFor(directory, asked.runs));
  if (filter === null) return { items: [], next: null };
  const bucketMs = by.includes("day") ? BUCKET_MS.day : BUCKET_MS.hour;
  const memo = await memoOf(store, { mayBeOld: filter.runs === undefined, runs: askedOfRunsAlone(filter) });
  const dims = by.map((dim) => DIM[dim]);
  const rows = await memo.once(`failures ${JSON.stringify([filter, dims, bucketMs])}`, () =>
    store.countIncidents(filter, dims, { bucketMs }),
  );
  return pageSorted(merge(rows, by, directory), (group) => [group.incidents, JSON.stringify(group.key)], page);
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
