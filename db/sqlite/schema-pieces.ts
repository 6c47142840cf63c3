/** Ends of deliveries where a record may have been cut in two, and what was joined there. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const pieces = sqliteTable(
  "pieces",
  {
    /** Never given again, so that a set of pieces that was looked at is known by its numbers. */
    seq: integer().primaryKey({ autoIncrement: true }),
    batch: integer().notNull(),
    stream: text().notNull(),
    edge: text().notNull(),
    fromAt: integer().notNull(),
    nanos: integer().notNull(),
    until: integer().notNull(),
    run: text(),
    origin: text().notNull(),
    body: text().notNull(),
    /** JSON. */
    keys: text().notNull(),
    rejects: text().notNull(),
    /** 0: its stream has to be joined anew. */
    looked: integer().notNull(),
    /** JSON of what stands aside and the keys of what was added; null when nothing was joined. */
    joined: text(),
  },
  (t) => [
    index("piece_stream").on(t.stream, t.until),
    index("piece_batch").on(t.batch),
    index("piece_until").on(t.until),
    index("piece_news").on(t.stream).where(sql`looked = 0`),
  ],
);
