/** Deliveries: opened, counted, completed or found to be there already. */
import { sql } from "drizzle-orm";
import type { Batch } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import type { Reject } from "@/server/domain/facts";
import type { Facts } from "@/server/domain/store";
import type { Connection } from "./connection";
import { oneOf, where } from "./filters";
import { insertInto } from "./insert";
import { Marks } from "./marks";
import { cutPage, pageLimit, readCursor } from "./pages";
import { type BatchRow, toBatch } from "./rows";
import { touchRuns } from "./run-versions";
import { batches, type rejects } from "./schema";
import type { PlainMethods } from "./storage-errors";

type BatchMethods = PlainMethods<
  Pick<Facts, "openBatch" | "closeBatch" | "batch" | "batchByDigest" | "batches" | "rejects">
>;
/** Removes a batch in chunks. */
export type DropBatch = (batchId: string) => Promise<void>;

const COMPLETE = "UPDATE batches SET state = 'complete', digest = ?, format = ?, completedAt = ? WHERE seq = ?";

export function batchMethods(connection: Connection, drop: DropBatch): BatchMethods {
  return {
    openBatch: (batch) => connection.write(() => open(connection, batch)),
    async closeBatch(batchId, digest, format, completedAt) {
      const duplicateOf = connection.write(() => {
        const { seq, run } = requireReceiving(connection, batchId);
        touchRuns(connection, [run]);
        const other = completeWithDigest(connection, digest);
        if (other === undefined) connection.statement(COMPLETE).run(digest, format, completedAt, seq);
        else connection.statement("UPDATE batches SET state = 'undoing' WHERE seq = ?").run(seq);
        return other?.id ?? null;
      });
      if (duplicateOf !== null) await drop(batchId);
      return { duplicateOf };
    },
    batch: (id) => {
      const row = findBatch(connection, id);
      return row ? toBatch(row) : null;
    },
    batchByDigest: (digest) => {
      const row = completeWithDigest(connection, digest);
      return row ? toBatch(row) : null;
    },
    ...listMethods(connection),
  };
}

function listMethods(connection: Connection): Pick<BatchMethods, "batches" | "rejects"> {
  return {
    batches(filter, page) {
      const limit = pageLimit(page);
      const after = readCursor(page, "batches", ["number", "text"]);
      const rows = connection.all<BatchRow>(
        sql`SELECT * FROM batches ${where([
          oneOf(sql`state`, filter.states),
          oneOf(sql`run`, filter.runs),
          oneOf(sql`origin`, filter.origins),
          after ? sql`(receivedAt, id) < (${after[0]}, ${after[1]})` : undefined,
        ])} ORDER BY receivedAt DESC, id DESC LIMIT ${limit + 1}`,
      );
      return cutPage(rows, limit, "batches", (row) => [row.receivedAt, row.id], toBatch);
    },
    rejects(batchId, page) {
      const limit = pageLimit(page);
      const after = readCursor(page, "rejects", ["number", "number"]);
      const batch = findBatch(connection, batchId)?.seq ?? -1;
      const rows = connection.all<typeof rejects.$inferSelect>(
        sql`SELECT * FROM rejects ${where([
          sql`batch = ${batch}`,
          sql`aside = 0`,
          after ? sql`(line, seq) > (${after[0]}, ${after[1]})` : undefined,
        ])} ORDER BY line, seq LIMIT ${limit + 1}`,
      );
      return cutPage(
        rows,
        limit,
        "rejects",
        (row) => [row.line, row.seq],
        ({ line, code, message, sample }) => ({ line, code: code as Reject["code"], message, sample }),
      );
    },
  };
}

function open(connection: Connection, batch: Batch): void {
  if (findBatch(connection, batch.id)) throw new CoalmineError("conflict", `Delivery ${batch.id} exists already.`);
  const seq = insertInto(
    connection,
    batches,
  )({
    ...batch,
    rulesVersion: null,
    asked: batch.format,
    readerVersion: batch.readerVersion ?? null,
    lines: 0,
    unkept: 0,
  });
  const marks = new Marks();
  marks.note(batch.run, null, batch.origin);
  marks.write(connection, seq);
}

export function findBatch(connection: Connection, id: string): BatchRow | undefined {
  return connection.statement("SELECT * FROM batches WHERE id = ?").get(id) as BatchRow | undefined;
}

/** Throws `not_found`, or `conflict` when it takes no more rows. */
export function requireReceiving(connection: Connection, id: string): BatchRow {
  const batch = findBatch(connection, id);
  if (!batch) throw new CoalmineError("not_found", `There is no delivery ${id}.`);
  if (batch.state !== "receiving") throw new CoalmineError("conflict", `Delivery ${id} is ${batch.state}.`);
  return batch;
}

function completeWithDigest(connection: Connection, digest: string): BatchRow | undefined {
  return connection
    .statement("SELECT * FROM batches WHERE digest = ? AND state = 'complete' ORDER BY seq")
    .get(digest) as BatchRow | undefined;
}
