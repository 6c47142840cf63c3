/** Tables of the archive: blocks of raw lines. Rows carry `batch`, the number of the delivery that brought them. */
import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Who sent the lines of blocks: a batch's blocks mostly share one list, kept once. */
export const archiveSenders = sqliteTable(
  "archive_senders",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    hash: integer().notNull(),
    /** Deflated JSON. */
    senders: blob({ mode: "buffer" }).notNull(),
  },
  (t) => [index("archive_senders_hash").on(t.batch, t.hash)],
);

/** Blocks of raw lines. The long values stand last, so that a scan does not read them. */
export const archiveBlocks = sqliteTable(
  "archive_blocks",
  {
    // Ids are known outside of the store, and one must never come to mean another block.
    seq: integer().primaryKey({ autoIncrement: true }),
    batch: integer().notNull(),
    run: text(),
    origin: text().notNull(),
    firstLine: integer().notNull(),
    lastLine: integer().notNull(),
    lines: integer().notNull(),
    firstAt: integer(),
    lastAt: integer(),
    /** `firstAt` and `lastAt`, or where lines have no time, that of receipt. */
    since: integer().notNull(),
    until: integer().notNull(),
    rawBytes: integer().notNull(),
    senders: integer().notNull(),
    present: blob({ mode: "buffer" }),
    bytes: blob({ mode: "buffer" }).notNull(),
  },
  (t) => [
    index("archive_block_batch").on(t.batch, t.firstLine),
    index("archive_block_run").on(t.run, t.until),
    index("archive_block_until").on(t.until),
  ],
);

/** Slices of the blocks' token filters. Row number = slice · 2^40 + block: a slice of all blocks lies together. */
export const archiveFilters = sqliteTable("archive_filters", {
  seq: integer().primaryKey(),
  bits: blob({ mode: "buffer" }).notNull(),
});
