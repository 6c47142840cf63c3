/** What the records of a delivery gave before, against what they give now. Pure. */
import type { Observation, Reject } from "@/server/domain/facts";
import type { MadeOfRecords } from "@/server/domain/rereading";
import { stable } from "../natural-key";

export interface Difference {
  /** Rows that go, by their names. */
  gone: { observations: string[]; rejects: string[] };
  observations: Observation[];
  rejects: Reject[];
  /** What changes for a reader of the store: before null = comes, after null = goes. */
  moves: { before: Observation | null; after: Observation | null }[];
}

export function differenceOf(
  known: MadeOfRecords,
  made: { observations: Observation[]; rejects: Reject[] },
): Difference {
  const seen = matched(known.observations, made.observations, ({ observation }) => observation, stable);
  const rejects = matched(known.rejects, made.rejects, ({ reject }) => reject, rejectKey);
  return {
    gone: { observations: seen.gone.map(({ row }) => row), rejects: rejects.gone.map(({ row }) => row) },
    observations: seen.come,
    rejects: rejects.come,
    moves: movesOf(
      seen.gone.map(({ observation }) => observation),
      seen.come,
    ),
  };
}

/** Rows that are the same on both sides stay. */
function matched<Old, New extends object>(
  before: readonly Old[],
  after: readonly New[],
  rowOf: (old: Old) => object,
  keyOf: (row: object) => string,
): { gone: Old[]; come: New[] } {
  const left = new Map<string, Old[]>();
  for (const old of before) {
    const key = keyOf(rowOf(old));
    left.set(key, [...(left.get(key) ?? []), old]);
  }
  const come = after.filter((row) => left.get(keyOf(row))?.pop() === undefined);
  return { gone: [...left.values()].flat(), come };
}

function rejectKey(row: object): string {
  const { line, part = null, code, message, sample } = row as Reject;
  return stable([line, part, code, message, sample]);
}

/** Rows of one key, else of one record, are the same evidence seen otherwise. */
function movesOf(gone: readonly Observation[], come: readonly Observation[]): Difference["moves"] {
  const left = [...gone];
  const take = (is: (row: Observation) => boolean): Observation | null => {
    const at = left.findIndex(is);
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  };
  const pairs = come.map((after) => ({ before: take((row) => row.key === after.key), after }));
  const moves = pairs.map(({ before, after }) => ({
    before: before ?? take((row) => row.line === after.line && (row.part ?? 0) === (after.part ?? 0)),
    after,
  }));
  return [
    ...moves.filter(({ before, after }) => before === null || said(before) !== said(after)),
    ...left.map((before) => ({ before, after: null })),
  ];
}

/** That other rules came to the same is no change. */
function said({ rulesVersion: _, ...row }: Observation): string {
  return stable(row);
}
