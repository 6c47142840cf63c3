/**
 * Undo: removes rows in chunks of their own transactions, so that nobody waits long, and queues what they touched.
 * A delivery is marked `undoing` first; one that a crash left half removed is finished at the next open.
 */
import { type SQL, sql } from "drizzle-orm";
import { CoalmineError } from "@/server/domain/errors";
import type { Facts } from "@/server/domain/store";
import { findBatch } from "./batches";
import type { Connection } from "./connection";
import { DROPPERS, type Dropper } from "./drop-rows";
import { numbersIn, oneOf, where } from "./filters";
import type { Queue } from "./queue";
import { touchRuns } from "./run-versions";
import type { PlainMethods } from "./storage-errors";

/** Rows a transaction. */
const CHUNK = 5000;
/** Pages given back to the file system at a time. */
const VACUUM_PAGES = 2000;

type Drops = PlainMethods<Pick<Facts, "dropBatch" | "dropRun" | "dropOrigin">>;
type Row = Record<string, unknown> & { seq: number; batch: number };

export function dropMethods(connection: Connection, queue: Queue): Drops {
  return {
    async dropBatch(batchId) {
      const batch = findBatch(connection, batchId);
      if (!batch) throw new CoalmineError("not_found", `There is no delivery ${batchId}.`);
      await dropWhole(connection, queue, batch.seq);
      await giveBackSpace(connection);
    },
    async dropRun(runs) {
      if (runs.length === 0) return;
      await dropAll(connection, queue, "run", runs);
      connection.write(() => {
        connection.run(sql`DELETE FROM run_settings WHERE ${oneOf(sql`id`, runs)}`);
        touchRuns(connection, runs);
      });
    },
    dropOrigin: (origin) => dropAll(connection, queue, "origin", [origin]),
  };
}

/** Finishes what a crash interrupted. */
export async function resumeDrops(connection: Connection, queue: Queue): Promise<void> {
  for (const seq of batchesWhere(connection, sql`state = 'undoing'`)) await dropWhole(connection, queue, seq);
}

/**
 * Deliveries that are about these runs or this origin as a whole, then rows of theirs that others brought. Those that are
 * still coming in, or begin meanwhile, come after it: they stay whole, and so is what their senders are told.
 */
async function dropAll(connection: Connection, queue: Queue, by: "run" | "origin", values: readonly string[]) {
  const condition = oneOf(by === "run" ? sql`run` : sql`origin`, values);
  const there = thereNow(connection);
  for (const seq of batchesWhere(connection, sql`${condition} AND ${there(sql`seq`)}`)) {
    await dropWhole(connection, queue, seq);
  }
  const marks = sql`${condition} AND ${there(sql`batch`)}`;
  const marked = connection.all<{ batch: number }>(sql`SELECT DISTINCT batch FROM marks WHERE ${marks}`);
  for (const dropper of DROPPERS) {
    const rows = dropper[by]?.(values);
    if (!rows) continue;
    const parts = dropper.marked
      ? marked.map(({ batch }) => sql`batch = ${batch} AND ${rows}`)
      : [sql`${rows} AND ${there(sql`batch`)}`];
    for (const part of parts) await inChunks(connection, queue, dropper, part);
  }
  connection.write(() => {
    const gone = connection.all<{ run: string | null }>(sql`DELETE FROM marks WHERE ${marks} RETURNING run`);
    touchRuns(
      connection,
      gone.map((mark) => mark.run),
    );
  });
  await giveBackSpace(connection);
}

/** Which deliveries were there as a whole when this was called. */
function thereNow(connection: Connection): (seq: SQL) => SQL {
  const newest = connection.one<{ seq: number | null }>(sql`SELECT max(seq) AS seq FROM batches`)?.seq ?? 0;
  const underWay = batchesWhere(connection, sql`state = 'receiving'`);
  return (seq) => sql`${seq} <= ${newest} AND NOT (${numbersIn(seq, underWay)})`;
}

function batchesWhere(connection: Connection, condition: SQL | undefined): number[] {
  const rows = connection.all<{ seq: number }>(sql`SELECT seq FROM batches ${where([condition])} ORDER BY seq`);
  return rows.map((row) => row.seq);
}

export async function dropWhole(connection: Connection, queue: Queue, batch: number): Promise<void> {
  connection.write(() => connection.run(sql`UPDATE batches SET state = 'undoing', digest = NULL WHERE seq = ${batch}`));
  for (const dropper of DROPPERS) await inChunks(connection, queue, dropper, sql`batch = ${batch}`);
  connection.write(() => {
    const gone = connection.all<{ run: string | null }>(sql`DELETE FROM marks WHERE batch = ${batch} RETURNING run`);
    touchRuns(
      connection,
      gone.map((mark) => mark.run),
    );
    connection.run(sql`DELETE FROM batches WHERE seq = ${batch}`);
  });
}

async function inChunks(connection: Connection, queue: Queue, dropper: Dropper, rows: SQL): Promise<void> {
  const next = (after: number) =>
    connection.all<Row>(
      sql`SELECT ${dropper.columns ?? sql`*`} FROM ${dropper.table}
        WHERE ${rows} AND seq > ${after} ORDER BY seq LIMIT ${dropper.chunk ?? CHUNK}`,
    );
  for (let chunk = next(0); chunk.length > 0; chunk = next(chunk.at(-1)?.seq ?? 0)) {
    connection.write((version) => {
      // A delivery that lost rows is no longer what its digest says: the same bytes may come again.
      const batches = [...new Set(chunk.map((row) => row.batch))];
      connection.run(sql`UPDATE batches SET digest = NULL WHERE ${numbersIn(sql`seq`, batches)}`);
      touchRuns(
        connection,
        chunk.map((row) => (typeof row.run === "string" ? row.run : null)),
      );
      queue.add(dropper.drop(connection, chunk), version);
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function giveBackSpace(connection: Connection): Promise<void> {
  const free = () => connection.client.pragma("freelist_count", { simple: true }) as number;
  for (let left = free(), before = left + 1; left > 0 && left < before; before = left, left = free()) {
    connection.client.pragma(`incremental_vacuum(${VACUUM_PAGES})`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
