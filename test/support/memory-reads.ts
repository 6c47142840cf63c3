/** Reads by id, ref, key and group of the store in memory. */
import type { Batch } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import type { Fact, Observation } from "@/server/domain/facts";
import type { RolloutRecord } from "@/server/domain/rollout";
import type { Facts, Page, PageOf } from "@/server/domain/store";
import { countedOf, shownRejects } from "./memory-pieces";
import type { Memory } from "./memory-store";

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const present = Object.entries(value).filter(([, part]) => part !== undefined);
  const parts = present
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, part]) => `${JSON.stringify(k)}:${canonical(part)}`);
  return `{${parts.join(",")}}`;
}

/** Sorts text by its UTF-8 bytes, numbers by size, null before both. */
export function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** By each value in turn; the first that differs decides. */
export function compareAll(a: readonly (string | number | null)[], b: readonly (string | number | null)[]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** The first by `sort` of the rows of each key, by key. */
function winners<Row>(rows: readonly Row[], keyOf: (row: Row) => string, sort: (a: Row, b: Row) => number): Row[] {
  return groupBy(rows, (row) => [keyOf(row)]).map((group) =>
    group.rows.reduce((first, row) => (sort(row, first) < 0 ? row : first)),
  );
}

export function countedObservations(memory: Memory): Observation[] {
  return winners(
    memory.batches.flatMap(countedOf),
    (o) => o.key,
    (a, b) =>
      (b.evidence.count ?? 0) - (a.evidence.count ?? 0) ||
      compare(b.at, a.at) ||
      a.line - b.line ||
      (canonical(a) < canonical(b) ? -1 : 1),
  );
}

export function countedRollouts(memory: Memory): RolloutRecord[] {
  return winners(
    memory.batches.flatMap((one) => one.rollouts),
    (r) => `${r.id} ${r.content}`,
    (a, b) => (canonical(a) < canonical(b) ? -1 : 1),
  ).sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.content < b.content ? -1 : 1));
}

function countedFacts(memory: Memory): Fact[] {
  const rows = winners(
    memory.batches.flatMap((one) => one.facts),
    (fact) => JSON.stringify([fact.ref, fact.name]),
    (a, b) =>
      b.rank - a.rank ||
      compare(b.at, a.at) ||
      (String(b.value) > String(a.value) ? 1 : String(b.value) < String(a.value) ? -1 : 0) ||
      (JSON.stringify(b.value) > JSON.stringify(a.value) ? 1 : -1),
  );
  return rows.sort((a, b) => (a.ref < b.ref ? -1 : a.ref > b.ref ? 1 : a.name < b.name ? -1 : 1));
}

/** Cursor: how many items came before, marked with the list that it is of. */
export function pageOf<T>(items: readonly T[], list: string, page: Page): PageOf<T> {
  const [mark, offset] = page.cursor === null ? [list, "0"] : page.cursor.split("@");
  if (mark !== list || !/^\d+$/.test(offset ?? "")) throw new CoalmineError("invalid", "No cursor of this list.");
  const limit = Math.min(1000, Math.max(1, page.limit));
  const end = Number(offset) + limit;
  return structuredClone({
    items: items.slice(Number(offset), end),
    next: end < items.length ? `${list}@${end}` : null,
  });
}

type Reads = Pick<
  Facts,
  | "batch"
  | "batchByDigest"
  | "batches"
  | "rejects"
  | "observationsOf"
  | "observationsByKey"
  | "observationBatches"
  | "linksFrom"
  | "linksTo"
  | "factsOf"
  | "rolloutsOfGroups"
  | "rolloutsOfIds"
  | "incidentsOf"
>;

export function memoryReads(memory: Memory): Reads {
  const copy = structuredClone;
  const links = () => {
    const texts = memory.batches
      .flatMap((one) => one.links)
      .map(({ from, to, since, until, how }) => JSON.stringify({ from, to, since, until, how }));
    return [...new Set(texts)].sort().map((text) => JSON.parse(text));
  };
  return {
    batch: async (id) => copy(memory.batches.find((one) => one.batch.id === id)?.batch ?? null),
    batchByDigest: async (digest) => {
      const found = memory.batches.find(({ batch }) => batch.state === "complete" && batch.digest === digest);
      return copy(found?.batch ?? null);
    },
    batches: async (filter, page) =>
      pageOf(
        sortedBatches(memory).filter((b) => fits(b, filter)),
        "batches",
        page,
      ),
    rejects: async (batchId, page) => {
      const found = memory.batches.find((one) => one.batch.id === batchId);
      return pageOf(
        (found ? shownRejects(found) : []).map(({ part: _, ...row }) => row).sort((a, b) => a.line - b.line),
        "rejects",
        page,
      );
    },
    observationsOf: async (refs) =>
      copy(countedObservations(memory).filter((o) => o.refs.some((ref) => refs.includes(ref)))),
    observationsByKey: async (keys) => copy(countedObservations(memory).filter((o) => keys.includes(o.key))),
    observationBatches: async (keys) => new Map(keys.flatMap((key) => placeOf(memory, key))),
    linksFrom: async (refs) => links().filter((link) => refs.includes(link.from)),
    linksTo: async (refs) => links().filter((link) => refs.includes(link.to)),
    factsOf: async (refs) => copy(countedFacts(memory).filter((fact) => refs.includes(fact.ref))),
    rolloutsOfGroups: async (groups) => copy(countedRollouts(memory).filter((r) => groups.includes(r.group))),
    rolloutsOfIds: async (ids) => copy(countedRollouts(memory).filter((r) => ids.includes(r.id))),
    incidentsOf: async (subjects) =>
      copy(memory.incidents.filter((one) => subjects.includes(one.ref)).sort((a, b) => (a.id < b.id ? -1 : 1))),
  };
}

function placeOf(memory: Memory, key: string): [string, { batch: string; line: number; part?: number }][] {
  const [first] = memory.batches.filter((one) => one.observations.some((o) => o.key === key));
  if (!first) return [];
  const rows = first.observations.filter((o) => o.key === key);
  const [{ line, part }] = rows.sort((a, b) => compareAll([a.line, a.part ?? 0], [b.line, b.part ?? 0])) as [
    Observation,
  ];
  return [[key, { batch: first.batch.id, line, ...(part && { part }) }]];
}

function sortedBatches(memory: Memory): Batch[] {
  const all = memory.batches.map((one) => one.batch);
  return all.sort((a, b) => compareAll([b.receivedAt, b.id], [a.receivedAt, a.id]));
}

function fits(batch: Batch, filter: { states?: string[]; runs?: string[]; origins?: string[] }): boolean {
  return isIn(filter.states, batch.state) && isIn(filter.runs, batch.run) && isIn(filter.origins, batch.origin);
}

/** An empty or missing list does not filter. */
export function isIn(list: readonly string[] | undefined, value: string | null): boolean {
  return list === undefined || list.length === 0 || (value !== null && list.includes(value));
}

/** Rows by key, in the order of the keys; `always` makes the one group of no key, with or without rows. */
export function groupBy<T>(rows: readonly T[], keyOf: (row: T) => (string | null)[], always = false) {
  const groups = new Map<string, { key: (string | null)[]; rows: T[] }>();
  if (always) groups.set("[]", { key: [], rows: [] });
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(JSON.stringify(key)) ?? { key, rows: [] };
    groups.set(JSON.stringify(key), group);
    group.rows.push(row);
  }
  return [...groups.values()].sort((a, b) => compareAll(a.key, b.key));
}
