/** Appends and removes blocks of raw lines, inside the caller's transaction. */
import { sql } from "drizzle-orm";
import type { ArchiveBlock, ArchiveSender } from "@/server/domain/archive";
import { SLICES } from "@/server/domain/token-filter";
import { packSenders } from "./archive-rows";
import type { Connection } from "./connection";
import { numbersIn } from "./filters";
import { insertInto } from "./insert";
import { archiveBlocks, archiveSenders } from "./schema-archive";
import { textHash } from "./text-hash";

const SLICE_ROWS = 2 ** 40;
const ADD_SLICE = "INSERT INTO archive_filters (seq, bits) VALUES (?, ?)";
const KNOWN_LIST = "SELECT seq FROM archive_senders WHERE batch = ? AND hash = ?";

/** Row of a block's slice of its token filter. */
export function sliceRow(slice: number, block: number): number {
  return slice * SLICE_ROWS + block;
}

/** `receivedAt` of the batch stands in for lines without a time. */
export function appendBlocks(
  connection: Connection,
  batch: { seq: number; receivedAt: number },
  blocks: readonly ArchiveBlock[],
): void {
  const insert = insertInto(connection, archiveBlocks);
  const addSlice = connection.statement(ADD_SLICE);
  for (const { filter, bytes, present, senders, ...block } of blocks) {
    const since = block.firstAt ?? batch.receivedAt;
    const until = block.lastAt ?? batch.receivedAt;
    const list = senderList(connection, batch.seq, senders);
    const blobs = { present: present && asBuffer(present), bytes: asBuffer(bytes) };
    const seq = insert({ ...block, batch: batch.seq, since, until, senders: list, ...blobs });
    const size = filter.length / SLICES;
    for (let i = 0; i < SLICES; i++) addSlice.run(sliceRow(i, seq), filter.subarray(i * size, (i + 1) * size));
  }
}

/** Where a list was stored last; a row that was not kept after all is not found again. */
const stored = new WeakMap<readonly ArchiveSender[], number>();
const IS_THERE = "SELECT seq FROM archive_senders WHERE seq = ? AND batch = ? AND hash = ?";
const hashes = new WeakMap<readonly ArchiveSender[], number>();

/** Blocks of one run and origin are mostly sent by the same; a list of these is never shared with other runs. */
function senderList(connection: Connection, batch: number, senders: ArchiveSender[]): number {
  const hash = hashes.get(senders) ?? textHash(JSON.stringify(senders));
  hashes.set(senders, hash);
  const last = stored.get(senders);
  if (last !== undefined && connection.statement(IS_THERE).get(last, batch, hash)) return last;
  const known = connection.statement(KNOWN_LIST).get(batch, hash) as { seq: number } | undefined;
  const seq = known?.seq ?? insertInto(connection, archiveSenders)({ batch, hash, senders: packSenders(senders) });
  stored.set(senders, seq);
  return seq;
}

/** Removes blocks with their filters, and a list of senders with the last of its blocks. */
export function removeBlocks(connection: Connection, blocks: readonly { seq: number; batch: number }[]): void {
  const numbers = blocks.map((block) => block.seq);
  connection.run(sql`DELETE FROM archive_blocks WHERE ${numbersIn(sql`seq`, numbers)}`);
  const slices = Array.from({ length: SLICES }, (_, slice) => numbers.map((seq) => sliceRow(slice, seq)));
  connection.run(sql`DELETE FROM archive_filters WHERE ${numbersIn(sql`seq`, slices.flat())}`);
  const batches = [...new Set(blocks.map((block) => block.batch))];
  connection.run(sql`DELETE FROM archive_senders WHERE ${numbersIn(sql`batch`, batches)} AND NOT EXISTS (
    SELECT 1 FROM archive_blocks AS b WHERE b.batch = archive_senders.batch AND b.senders = archive_senders.seq)`);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
