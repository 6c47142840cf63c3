/** Questions about blocks of raw lines. */
import { type SQL, sql } from "drizzle-orm";
import type { StoredBlock } from "@/server/domain/archive";
import type { Facts } from "@/server/domain/store";
import { nameHash, sliceOf, tokenHash } from "@/server/domain/token-filter";
import { sliceRow } from "./archive-append";
import { type BlockRow, toBlock, unpackSenders } from "./archive-rows";
import { findBatch } from "./batches";
import type { Connection } from "./connection";
import { numbersIn, oneOf, where } from "./filters";
import { cutPage, pageLimit, readCursor } from "./pages";
import type { PlainMethods } from "./storage-errors";

type Questions = PlainMethods<Pick<Facts, "archiveBlocks" | "archiveBytes" | "archiveBlockOf" | "blocksOf">>;

const COLUMNS = sql`b.seq, d.id AS batch, d.receivedAt, b.run, b.origin, b.firstLine, b.lastLine, b.lines, b.firstAt,
  b.lastAt, b.since, b.until, b.rawBytes, s.senders AS who`;
const TABLES = sql`archive_blocks AS b CROSS JOIN batches AS d ON d.seq = b.batch
  CROSS JOIN archive_senders AS s ON s.seq = b.senders`;

export function archiveQuestions(connection: Connection): Questions {
  connection.client.function("sent_by", { deterministic: true }, (packed: unknown, streams: unknown) =>
    sentBy(packed as Buffer, JSON.parse(String(streams)) as string[]) ? 1 : 0,
  );
  return {
    archiveBlocks(filter, page) {
      const limit = pageLimit(page);
      const after = readCursor(page, "archive", ["number", "number"]);
      const rows = connection.all<BlockRow>(
        sql`SELECT ${COLUMNS} FROM ${TABLES} ${where([
          batchesIn(connection, filter.batches),
          oneOf(sql`b.run`, filter.runs),
          filter.to === undefined ? undefined : sql`b.since < ${filter.to}`,
          filter.newerThan === undefined ? undefined : sql`b.seq > ${filter.newerThan}`,
          filter.from === undefined ? undefined : sql`b.until >= ${filter.from}`,
          after ? sql`(b.until, b.seq) < (${after[0]}, ${after[1]})` : undefined,
          ...(filter.tokens ?? []).map((token) => mayHave(tokenHash(token))),
          ...streamsIn(filter.streams ?? []),
        ])} ORDER BY b.until DESC, b.seq DESC LIMIT ${limit + 1}`,
      );
      return cutPage(rows, limit, "archive", (row) => [row.until, row.seq], toBlock);
    },
    archiveBytes(ids) {
      const rows = connection.all<{ seq: number; bytes: Buffer }>(
        sql`SELECT seq, bytes FROM archive_blocks WHERE ${numbersIn(sql`seq`, ids)} ORDER BY seq`,
      );
      return new Map(
        rows.map(({ seq, bytes: { buffer, byteOffset, length } }) => [seq, new Uint8Array(buffer, byteOffset, length)]),
      );
    },
    blocksOf(batch, after, limit) {
      const seq = findBatch(connection, batch)?.seq ?? -1;
      const rows = connection.all<BlockRow>(
        sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE b.batch = ${seq} AND b.seq > ${after} ORDER BY b.seq LIMIT ${limit}`,
      );
      return rows.map(toBlock);
    },
    archiveBlockOf: (batch, line, after = 0) => blockOf(connection, batch, line, after),
  };
}

function blockOf(connection: Connection, batch: string, line: number, after: number): StoredBlock | null {
  const seq = findBatch(connection, batch)?.seq ?? -1;
  const rows = connection.all<BlockRow & { present: Buffer | null }>(
    sql`SELECT ${COLUMNS}, b.present FROM ${TABLES}
      WHERE b.batch = ${seq} AND b.firstLine <= ${line} AND b.lastLine >= ${line} AND b.seq > ${after} ORDER BY b.seq`,
  );
  const found = rows.find(({ present, firstLine }) => present === null || hasBit(present, line - firstLine));
  if (!found) return null;
  const { present: _, ...row } = found;
  return toBlock(row);
}

function hasBit(bits: Uint8Array, bit: number): boolean {
  return ((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

function batchesIn(connection: Connection, ids: readonly string[] | undefined): SQL | undefined {
  if (ids === undefined || ids.length === 0) return undefined;
  const [one, ...others] = ids.map((id) => findBatch(connection, id)?.seq ?? -1);
  return others.length === 0 ? sql`b.batch = ${one}` : numbersIn(sql`b.batch`, [one as number, ...others]);
}

/** One slice of a block's filter is read, by its row number. */
function mayHave(hash: number): SQL {
  const first = sliceRow(sliceOf(hash), 0);
  return sql`may_contain((SELECT f.bits FROM archive_filters AS f WHERE f.seq = b.seq + ${first}), ${hash})`;
}

/** The filter tells nearly all blocks that have none of the streams; the list of senders tells the rest. */
function streamsIn(streams: readonly string[]): SQL[] {
  if (streams.length === 0) return [];
  const any = sql.join(
    streams.map((stream) => mayHave(nameHash(stream))),
    sql` OR `,
  );
  return [sql`(${any})`, sql`sent_by(s.senders, ${JSON.stringify(streams)})`];
}

function sentBy(packed: Buffer, streams: readonly string[]): boolean {
  return unpackSenders(packed).some((sender) => streams.includes(sender.stream));
}
