/** Replaces what a delivery's lines gave when they are read again. */
import { sql } from "drizzle-orm";
import type { Observation, Reject } from "@/server/domain/facts";
import type { Ref } from "@/server/domain/refs";
import type { RereadStep, Rereads } from "@/server/domain/rereading";
import type { Facts } from "@/server/domain/store";
import { appendRows, type Writing } from "./append";
import { findBatch } from "./batches";
import type { Connection } from "./connection";
import { dropObservations } from "./drop-rows";
import { numbersIn } from "./filters";
import { joinedKeys } from "./pieces";
import type { Queue } from "./queue";
import { beginEnd, endReread } from "./reread-end";
import { type BatchRow, type ObservationRow, toObservation } from "./rows";
import { touchRuns } from "./run-versions";
import type { rejects } from "./schema";
import type { PlainMethods } from "./storage-errors";

type RejectRow = typeof rejects.$inferSelect;
type Methods = PlainMethods<Pick<Facts, "readOtherwise" | "keptOf" | "madeOf" | "reread">>;

const COUNT = "UPDATE batches SET observations = observations + ?, rejected = rejected + ? WHERE seq = ?";
const REPLACE_BLOCK = "UPDATE archive_blocks SET bytes = ?, rawBytes = ? WHERE seq = ? AND batch = ?";

export function rereadMethods(connection: Connection, queue: Queue): Methods {
  return {
    readOtherwise: (version) => readOtherwise(connection, version),
    keptOf(id) {
      const batch = findBatch(connection, id);
      if (batch?.state !== "complete" || batch.asked === null) return null;
      const { asked, lines, unkept } = batch;
      return { asked, lines, unkept };
    },
    madeOf: (id, places) => madeOf(connection, findBatch(connection, id)?.seq ?? -1, places),
    reread: (step) => {
      const isThere = () => findBatch(connection, step.batch)?.state === "complete";
      // Nothing is written, so that the data version stands.
      if (!isThere()) return false;
      return connection.write((version) => {
        const batch = findBatch(connection, step.batch);
        if (batch?.state !== "complete") return false;
        write({ connection, queue, version }, batch, step);
        return true;
      });
    },
  };
}

function readOtherwise(connection: Connection, version: string): Awaited<ReturnType<Rereads["readOtherwise"]>> {
  const rows = connection.all<{ id: string; known: number; lines: number }>(
    sql`SELECT d.id, d.readerVersion IS NOT NULL AS known, sum(b.lines) AS lines
      FROM batches AS d JOIN archive_blocks AS b ON b.batch = d.seq
      WHERE d.state = 'complete' AND d.readerVersion IS NOT ${version} GROUP BY d.seq ORDER BY d.seq`,
  );
  const known = rows.filter((row) => row.known === 1);
  const lines = known.reduce((sum, row) => sum + row.lines, 0);
  return { batches: known.map((row) => row.id), lines, older: rows.length - known.length };
}

function madeOf(connection: Connection, batch: number, places: Parameters<Rereads["madeOf"]>[1]) {
  const list = JSON.stringify(places.map(({ line, part }) => [line, part]));
  const wanted = sql`json_each(${list}) AS p`;
  const isHere = (row: string) => sql.raw(`${row}.line = p.value ->> 0 AND ${row}.part = p.value ->> 1`);
  const joined = joinedKeys(connection, batch);
  const rows = connection.all<ObservationRow>(
    sql`SELECT o.* FROM ${wanted} CROSS JOIN observations AS o ON o.batch = ${batch} AND ${isHere("o")} ORDER BY o.seq`,
  );
  const rejected = connection.all<RejectRow>(
    sql`SELECT r.* FROM ${wanted} CROSS JOIN rejects AS r ON r.batch = ${batch} AND ${isHere("r")} ORDER BY r.seq`,
  );
  const observations: { row: string; observation: Observation }[] = [];
  for (const row of rows)
    if (!joined.has(row.key)) observations.push({ row: String(row.seq), observation: toObservation(row) });
  return { observations, rejects: rejected.map((row) => ({ row: String(row.seq), reject: toReject(row) })) };
}

function toReject({ line, part, code, message, sample }: RejectRow): Reject {
  return { line, part, code: code as Reject["code"], message, sample };
}

function write(writing: Writing, batch: BatchRow, step: RereadStep): void {
  const { connection, queue, version } = writing;
  const touched: Ref[] = step.done ? beginEnd(connection, batch.seq, step.done) : [];
  const gone = connection.all<ObservationRow>(
    sql`SELECT * FROM observations WHERE batch = ${batch.seq} AND ${numbersIn(sql`seq`, step.gone.observations.map(Number))}`,
  );
  touched.push(...dropObservations(connection, gone));
  touchRuns(
    connection,
    gone.map((row) => row.run),
  );
  const rejected = dropRejects(connection, batch.seq, step.gone.rejects.map(Number));
  const { added } = appendRows(writing, batch, step.rows);
  connection.statement(COUNT).run(added - gone.length, step.rows.rejects.length - rejected, batch.seq);
  for (const { id, bytes, rawBytes } of step.blocks)
    connection.statement(REPLACE_BLOCK).run(Buffer.from(bytes), rawBytes, id, batch.seq);
  if (step.done) touched.push(...endReread(writing, batch, step.done));
  queue.add(touched, version);
}

/** Returns how many of them counted. */
function dropRejects(connection: Connection, batch: number, rows: readonly number[]): number {
  const gone = connection.all<{ aside: number }>(
    sql`DELETE FROM rejects WHERE batch = ${batch} AND ${numbersIn(sql`seq`, rows)} RETURNING aside`,
  );
  return gone.filter((row) => row.aside === 0).length;
}
