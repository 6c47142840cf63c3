/** Which of several rows of one key counts: decided by what the rows say, never by which came first. */
import type { Connection } from "./connection";
import { type CellPlace, markCells } from "./rollups";
import { type FactRow, type LinkRow, type ObservationRow, type RolloutRow, toObservation, toRollout } from "./rows";
import { touchRuns } from "./run-versions";

/** JSON with sorted keys: equal for equal content, and an order for the rest. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Greatest count, then latest time, then least line, then least canonical JSON. */
export function observationBeats(a: ObservationRow, b: ObservationRow): boolean {
  const one = toObservation(a);
  const other = toObservation(b);
  const count = (one.evidence.count ?? 0) - (other.evidence.count ?? 0);
  if (count !== 0) return count > 0;
  const at = (one.at ?? Number.NEGATIVE_INFINITY) - (other.at ?? Number.NEGATIVE_INFINITY);
  if (at > 0 || at < 0) return at > 0;
  if (one.line !== other.line) return one.line < other.line;
  return canonical(one) < canonical(other);
}

/** Rows of one rollout record differ at most in who delivered them: least canonical JSON. */
function rolloutBeats(a: RolloutRow, b: RolloutRow): boolean {
  return canonical(toRollout(a)) < canonical(toRollout(b));
}

/** Highest rank, then latest time, then greatest value as text (and as JSON, where a number and a text look alike). */
export function factBeats(
  a: Pick<FactRow, "rank" | "at" | "value">,
  b: Pick<FactRow, "rank" | "at" | "value">,
): boolean {
  if (a.rank !== b.rank) return a.rank > b.rank;
  const at = (a.at ?? Number.NEGATIVE_INFINITY) - (b.at ?? Number.NEGATIVE_INFINITY);
  if (at > 0 || at < 0) return at > 0;
  const one = String(JSON.parse(a.value));
  const other = String(JSON.parse(b.value));
  return one === other ? a.value > b.value : one > other;
}

function best<Row>(rows: readonly Row[], beats: (a: Row, b: Row) => boolean): Row | undefined {
  return rows.reduce<Row | undefined>(
    (known, row) => (known === undefined || beats(row, known) ? row : known),
    undefined,
  );
}

const OBSERVATIONS_OF_KEY = "SELECT * FROM observations WHERE keyHash = ? AND key = ?";
/** `main` of an observation that a delivery made of a piece, once the whole record is there. */
export const STANDS_ASIDE = 2;
const OBSERVATION_MAIN = "UPDATE observations SET main = ? WHERE seq = ?";
const ROLLOUTS_OF_KEY = "SELECT * FROM rollouts WHERE id = ? AND content = ?";
const ROLLOUT_MAIN = "UPDATE rollouts SET main = ? WHERE seq = ?";
const MOVE_VERDICT = "UPDATE verdicts SET rollout = ?, origin = ? WHERE id = ? AND content = ? RETURNING run, time";
const DROP_VERDICT = "DELETE FROM verdicts WHERE id = ? AND content = ? RETURNING run, time";

export function observationsOfKey(connection: Connection, keyHash: number, key: string): ObservationRow[] {
  return connection.statement(OBSERVATIONS_OF_KEY).all(keyHash, key) as ObservationRow[];
}

/** Marks the row of this key that counts, after rows of it came or went. */
export function chooseObservation(connection: Connection, keyHash: number, key: string): void {
  const rows = observationsOfKey(connection, keyHash, key).filter((row) => row.main !== STANDS_ASIDE);
  touchRuns(
    connection,
    rows.map((row) => row.run),
  );
  mark(connection, OBSERVATION_MAIN, rows, best(rows, observationBeats));
}

/** Marks the row of this record that counts and moves its verdict there; the last row takes the verdict with it. */
export function chooseRollout(connection: Connection, id: string, content: string): void {
  const rows = connection.statement(ROLLOUTS_OF_KEY).all(id, content) as RolloutRow[];
  const winner = best(rows, rolloutBeats);
  mark(connection, ROLLOUT_MAIN, rows, winner);
  const moved = winner
    ? connection.statement(MOVE_VERDICT).all(winner.seq, winner.origin, id, content)
    : connection.statement(DROP_VERDICT).all(id, content);
  markCells(connection, moved as CellPlace[]);
  touchRuns(
    connection,
    [...rows, ...(moved as CellPlace[])].map((row) => row.run),
  );
}

const FACTS_OF_NAME = "SELECT * FROM facts WHERE refHash = ? AND ref = ? AND name = ?";
const FACT_MAIN = "UPDATE facts SET main = ? WHERE seq = ?";
const SAME_LINKS =
  "SELECT * FROM links WHERE fromHash = ? AND fromRef = ? AND toRef = ? AND since IS ? AND until IS ? AND how = ? ORDER BY seq";
const LINK_MAIN = "UPDATE links SET main = ? WHERE seq = ?";

export function chooseFact(connection: Connection, gone: Pick<FactRow, "refHash" | "ref" | "name">): void {
  const rows = connection.statement(FACTS_OF_NAME).all(gone.refHash, gone.ref, gone.name) as FactRow[];
  mark(connection, FACT_MAIN, rows, best(rows, factBeats));
}

/** Of equal links any one counts. */
export function chooseLink(connection: Connection, gone: LinkRow): void {
  const { fromHash, fromRef, toRef, since, until, how } = gone;
  const rows = connection.statement(SAME_LINKS).all(fromHash, fromRef, toRef, since, until, how) as LinkRow[];
  mark(connection, LINK_MAIN, rows, rows[0]);
}

function mark<Row extends { seq: number; main: number }>(
  connection: Connection,
  text: string,
  rows: readonly Row[],
  winner: Row | undefined,
): void {
  const set = connection.statement(text);
  for (const row of rows) {
    const main = row === winner ? 1 : 0;
    if (row.main !== main) set.run(main, row.seq);
  }
}
