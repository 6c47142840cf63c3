/** How rows of each table go: what stays behind must choose anew which row of a key counts. */
import { type SQL, sql } from "drizzle-orm";
import type { Ref } from "@/server/domain/refs";
import { removeBlocks } from "./archive-append";
import type { Connection } from "./connection";
import { oneOf } from "./filters";
import { dropPieces } from "./pieces";
import type { FactRow, LinkRow, ObservationRow, RolloutRow } from "./rows";
import { textHash } from "./text-hash";
import { chooseFact, chooseLink, chooseObservation, chooseRollout } from "./winners";

export interface Dropper {
  table: SQL;
  /** What `drop` needs of a row; default all of it. */
  columns?: SQL;
  /** Rows a transaction, where rows are large. */
  chunk?: number;
  /** Which rows are of these runs or origins; left out where the table knows neither. */
  run?: (runs: readonly string[]) => SQL | undefined;
  origin?: (origins: readonly string[]) => SQL | undefined;
  /** Its rows' runs and origins are in `marks`, which narrows the batches to look through. */
  marked?: boolean;
  /** Deletes the rows; returns the refs that must be derived again. */
  drop: (connection: Connection, rows: readonly Record<string, unknown>[]) => Ref[];
}

const byRun = (runs: readonly string[]) => oneOf(sql`run`, runs);
const byOrigin = (origins: readonly string[]) => oneOf(sql`origin`, origins);

export function remove(connection: Connection, table: string, rows: readonly { seq: number }[]): void {
  const statement = connection.statement(`DELETE FROM ${table} WHERE seq = ?`);
  for (const row of rows) statement.run(row.seq);
}

export function dropObservations(connection: Connection, rows: readonly ObservationRow[]): Ref[] {
  const unref = connection.statement("DELETE FROM observation_refs WHERE observation = ? AND refHash = ?");
  const touched: Ref[] = [];
  remove(connection, "observations", rows);
  for (const row of rows) {
    const refs = JSON.parse(row.refs) as Ref[];
    for (const ref of refs) unref.run(row.seq, textHash(ref));
    touched.push(...refs);
    if (row.main === 1) chooseObservation(connection, row.keyHash, row.key);
  }
  return touched;
}

export function dropLinks(connection: Connection, rows: readonly LinkRow[]): Ref[] {
  remove(connection, "links", rows);
  for (const row of rows) if (row.main === 1) chooseLink(connection, row);
  return rows.flatMap((row) => [row.fromRef, row.toRef]);
}

export function dropFacts(connection: Connection, rows: readonly FactRow[]): Ref[] {
  remove(connection, "facts", rows);
  for (const row of rows) if (row.main === 1) chooseFact(connection, row);
  return rows.map((row) => row.ref);
}

export function dropRollouts(connection: Connection, rows: readonly RolloutRow[]): Ref[] {
  remove(connection, "rollouts", rows);
  for (const row of rows) if (row.main === 1) chooseRollout(connection, row.id, row.content);
  return rows.flatMap((row) => [`rollout:${row.cluster}/${row.id}`, `group:${row.cluster}/${row.groupId}`]);
}

function dropBlocks(connection: Connection, rows: readonly { seq: number; batch: number }[]): Ref[] {
  removeBlocks(connection, rows);
  return [];
}

function plain(table: string): Dropper["drop"] {
  return (connection, rows) => {
    remove(connection, table, rows as unknown as { seq: number }[]);
    return [];
  };
}

function typed<Row>(drop: (connection: Connection, rows: readonly Row[]) => Ref[]): Dropper["drop"] {
  return (connection, rows) => drop(connection, rows as unknown as readonly Row[]);
}

export const DROPPERS: readonly Dropper[] = [
  // First, so that what was joined with other deliveries is taken back while its rows are there.
  { table: sql`pieces`, run: byRun, origin: byOrigin, drop: typed(dropPieces) },
  { table: sql`observations`, run: byRun, origin: byOrigin, marked: true, drop: typed(dropObservations) },
  { table: sql`rollouts`, run: byRun, origin: byOrigin, marked: true, drop: typed(dropRollouts) },
  { table: sql`links`, drop: typed(dropLinks) },
  {
    table: sql`facts`,
    run: (runs) =>
      sql`name = 'run' AND ${oneOf(
        sql`value`,
        runs.map((run) => JSON.stringify(run)),
      )}`,
    drop: typed(dropFacts),
  },
  {
    table: sql`archive_blocks`,
    columns: sql`seq, batch`,
    chunk: 200,
    run: byRun,
    origin: byOrigin,
    drop: typed(dropBlocks),
  },
  { table: sql`planned`, run: byRun, drop: plain("planned") },
  { table: sql`sightings`, run: byRun, drop: plain("sightings") },
  { table: sql`rejects`, drop: plain("rejects") },
];
