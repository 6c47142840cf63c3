/** Pieces of cut records: kept, handed out to be joined, and joined by letting what each said alone stand aside. */
import { sql } from "drizzle-orm";
import {
  MAX_PAUSE_MS,
  type Piece,
  type PieceJoin,
  type PieceReject,
  type Pieces,
  type StoredPiece,
} from "@/server/domain/pieces";
import type { Ref } from "@/server/domain/refs";
import type { Rereads } from "@/server/domain/rereading";
import { appendObservations } from "./append-evidence";
import type { Connection } from "./connection";
import { insertInto } from "./insert";
import type { Queue } from "./queue";
import { noteRules } from "./rejudge";
import type { ObservationRow } from "./rows";
import { pieces } from "./schema-pieces";
import type { PlainMethods } from "./storage-errors";
import { textHash } from "./text-hash";
import { chooseObservation, observationsOfKey, STANDS_ASIDE } from "./winners";

type PieceRow = typeof pieces.$inferSelect;
/** What a join did to one piece's delivery. */
interface Joined extends Pick<PieceJoin, "keys" | "rejects"> {
  added: string[];
}

const HOUR_MS = 3_600_000;
const CLOSE = "DELETE FROM pieces WHERE stream = ? AND until < ? AND looked = 1 AND joined IS NULL";
/** Two beginnings have nothing to do with each other unless they are one. */
const NEIGHBOUR = `SELECT 1 FROM pieces WHERE stream = ? AND until >= ? AND fromAt <= ?
  AND (edge <> 'head' OR ? <> 'head' OR fromAt = ?)`;
const OF_STREAM = "SELECT * FROM pieces WHERE stream = ? ORDER BY seq";
const ASIDE = "UPDATE observations SET main = ? WHERE seq = ?";
const REMOVE = "DELETE FROM observations WHERE seq = ?";
const REMOVE_REF = "DELETE FROM observation_refs WHERE refHash = ? AND observation = ?";
const REJECT = "UPDATE rejects SET aside = ? WHERE batch = ? AND line = ? AND sample = ? AND aside = ?";
const REJECTED = "UPDATE batches SET rejected = rejected + ? WHERE seq = ?";

export function appendPieces(connection: Connection, batch: number, rows: readonly Piece[]): void {
  const insert = insertInto(connection, pieces);
  for (const { from, keys, rejects, ...rest } of rows) {
    const lists = { keys: JSON.stringify(keys), rejects: JSON.stringify(rejects) };
    connection.statement(CLOSE).run(rest.stream, from - HOUR_MS);
    const { stream, edge, until } = rest;
    const near = [stream, from - MAX_PAUSE_MS, until + MAX_PAUSE_MS, edge, from];
    const isNews = connection.statement(NEIGHBOUR).get(...near) !== undefined;
    insert({ ...rest, ...lists, batch, fromAt: from, looked: isNews ? 0 : 1, joined: null });
  }
}

export function pieceMethods(
  connection: Connection,
  queue: Queue,
): PlainMethods<Pieces & Pick<Rereads, "piecesOfBatch">> {
  return {
    unjoinedStreams: (limit) =>
      connection
        .all<{ stream: string }>(
          sql`SELECT DISTINCT stream FROM pieces WHERE looked = 0 ORDER BY stream LIMIT ${limit}`,
        )
        .map((row) => row.stream),
    piecesOf: (stream) => {
      const rows = connection.all<PieceRow & { id: string }>(
        sql`SELECT p.*, b.id FROM pieces AS p JOIN batches AS b ON b.seq = p.batch WHERE p.stream = ${stream} ORDER BY p.seq`,
      );
      return rows.map(toPiece);
    },
    piecesOfBatch: (batch) =>
      connection
        .all<PieceRow & { id: string }>(
          sql`SELECT p.*, b.id FROM pieces AS p JOIN batches AS b ON b.seq = p.batch WHERE b.id = ${batch} ORDER BY p.seq`,
        )
        .map(toPiece),
    join({ stream, seen, joins }) {
      const isAsBefore = (rows: PieceRow[]) =>
        rows.map((row) => row.seq).join() === [...seen].sort((a, b) => a - b).join();
      const before = ofStream(connection, stream);
      if (!isAsBefore(before)) return;
      if (joins.length === 0 && before.every((row) => row.joined === null)) {
        connection.run(sql`UPDATE pieces SET looked = 1 WHERE stream = ${stream}`);
        return;
      }
      connection.write((version) => {
        const touched = takeBack(connection, stream);
        for (const join of joins) {
          const piece = before.find((row) => row.seq === join.piece);
          if (piece) touched.push(...joinOne(connection, piece, join));
        }
        connection.run(sql`UPDATE pieces SET looked = 1 WHERE stream = ${stream}`);
        queue.add(touched, version);
      });
    },
  };
}

/** Pieces go, and with them what they were joined to; their neighbours are looked at again. Returns what that touches. */
export function dropPieces(connection: Connection, rows: readonly PieceRow[]): Ref[] {
  const touched: Ref[] = [];
  for (const stream of new Set(rows.map((row) => row.stream))) {
    touched.push(...takeBack(connection, stream));
    connection.run(sql`UPDATE pieces SET looked = 0 WHERE stream = ${stream}`);
  }
  for (const { seq } of rows) connection.run(sql`DELETE FROM pieces WHERE seq = ${seq}`);
  return touched;
}

/** Keys of the observations that joins added to a delivery. */
export function joinedKeys(connection: Connection, batch: number): Set<string> {
  const rows = connection.all<PieceRow>(sql`SELECT * FROM pieces WHERE batch = ${batch} AND joined IS NOT NULL`);
  return new Set(rows.flatMap((row) => joinedOf(row)?.added ?? []));
}

/** Old pieces go without a trace: what was joined stands, and what stood aside for it goes. */
export function dropOldPieces(connection: Connection, before: number, limit: number): number {
  return connection.write(() => {
    const rows = connection.all<PieceRow>(sql`SELECT * FROM pieces WHERE until < ${before} LIMIT ${limit}`);
    for (const row of rows) {
      for (const key of joinedOf(row)?.keys ?? [])
        for (const gone of rowsOf(connection, row.batch, key)) if (gone.main === STANDS_ASIDE) remove(connection, gone);
      connection.run(sql`DELETE FROM pieces WHERE seq = ${row.seq}`);
    }
    return rows.length;
  });
}

function joinOne(connection: Connection, { seq, batch }: PieceRow, join: PieceJoin): Ref[] {
  const touched = join.keys.flatMap((key) => setAside(connection, batch, key, true));
  countRejects(connection, batch, join.rejects, true);
  const { alsoTouched } = appendObservations(connection, batch, join.observations);
  noteRules(connection, batch, join.observations);
  const { keys, rejects, observations } = join;
  const joined: Joined = { keys, rejects, added: observations.map((row) => row.key) };
  connection.run(sql`UPDATE pieces SET joined = ${JSON.stringify(joined)} WHERE seq = ${seq}`);
  return [...touched, ...alsoTouched, ...observations.flatMap((row) => row.refs)];
}

function takeBack(connection: Connection, stream: string): Ref[] {
  const touched: Ref[] = [];
  for (const row of ofStream(connection, stream)) {
    const joined = joinedOf(row);
    if (!joined) continue;
    for (const key of joined.added)
      for (const gone of rowsOf(connection, row.batch, key)) {
        remove(connection, gone);
        chooseObservation(connection, gone.keyHash, key);
        touched.push(...refsOf(gone));
      }
    for (const key of joined.keys) touched.push(...setAside(connection, row.batch, key, false));
    countRejects(connection, row.batch, joined.rejects, false);
    connection.run(sql`UPDATE pieces SET joined = NULL WHERE seq = ${row.seq}`);
  }
  return touched;
}

function setAside(connection: Connection, batch: number, key: string, aside: boolean): Ref[] {
  const rows = rowsOf(connection, batch, key);
  for (const row of rows) connection.statement(ASIDE).run(aside ? STANDS_ASIDE : 0, row.seq);
  chooseObservation(connection, textHash(key), key);
  return rows.flatMap(refsOf);
}

function countRejects(connection: Connection, batch: number, rows: readonly PieceReject[], aside: boolean): void {
  let changed = 0;
  for (const { line, sample } of rows)
    changed += connection.statement(REJECT).run(aside ? 1 : 0, batch, line, sample, aside ? 0 : 1).changes;
  if (changed > 0) connection.statement(REJECTED).run(aside ? -changed : changed, batch);
}

function remove(connection: Connection, row: ObservationRow): void {
  for (const ref of refsOf(row)) connection.statement(REMOVE_REF).run(textHash(ref), row.seq);
  connection.statement(REMOVE).run(row.seq);
}

function rowsOf(connection: Connection, batch: number, key: string): ObservationRow[] {
  return observationsOfKey(connection, textHash(key), key).filter((row) => row.batch === batch);
}

function ofStream(connection: Connection, stream: string): PieceRow[] {
  return connection.statement(OF_STREAM).all(stream) as PieceRow[];
}

function refsOf(row: ObservationRow): Ref[] {
  return JSON.parse(row.refs) as Ref[];
}

function joinedOf(row: PieceRow): Joined | null {
  return row.joined === null ? null : (JSON.parse(row.joined) as Joined);
}

function toPiece(row: PieceRow & { id: string }): StoredPiece {
  const { stream, nanos, until, run, body } = row;
  return {
    ...{ stream, nanos, until, run, body },
    id: row.seq,
    batch: row.id,
    edge: row.edge as StoredPiece["edge"],
    from: row.fromAt,
    origin: row.origin as StoredPiece["origin"],
    keys: JSON.parse(row.keys) as string[],
    rejects: JSON.parse(row.rejects) as PieceReject[],
  };
}
