/**
 * Tables of the embedded store. Rows of facts carry `batch`, the number of the delivery that brought them.
 *
 * Keys and refs are text of 30–100 bytes, and an observation has three or four refs. Indexes on them hold a 53-bit
 * hash instead (about 17 bytes an entry, where text takes 60–120); readers compare the text of the row they find.
 * `main` marks the one row of a key that counts (1), so that no question has to drop repeats itself.
 */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const batches = sqliteTable(
  "batches",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    digest: text(),
    state: text().notNull(),
    format: text().notNull(),
    run: text(),
    source: text().notNull(),
    node: text(),
    cluster: text().notNull(),
    tz: text(),
    origin: text().notNull(),
    receivedAt: integer().notNull(),
    completedAt: integer(),
    name: text(),
    bytes: integer().notNull(),
    records: integer().notNull(),
    observations: integer().notNull(),
    rollouts: integer().notNull(),
    routine: integer().notNull(),
    duplicates: integer().notNull(),
    rejected: integer().notNull(),
    /** Of the rules that judged its observations; null without any, empty when several did. */
    rulesVersion: text(),
    /** Format that it was sent as, a name or `auto`; null in stores of before that was kept. */
    asked: text(),
    /** Of the formats and envelopes that read it; null likewise. */
    readerVersion: text(),
    /** Lines that were kept of it, and records of which none was; both of no meaning where `asked` is null. */
    lines: integer().notNull().default(0),
    unkept: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("batch_id").on(t.id),
    index("batch_digest").on(t.digest).where(sql`digest IS NOT NULL`),
    index("batch_received").on(t.receivedAt, t.id),
    index("batch_run").on(t.run),
  ],
);

export const observations = sqliteTable(
  "observations",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    main: integer().notNull(),
    keyHash: integer().notNull(),
    key: text().notNull(),
    refs: text().notNull(),
    at: integer(),
    atAssumed: integer().notNull(),
    line: integer().notNull(),
    cluster: text().notNull(),
    run: text(),
    node: text(),
    source: text().notNull(),
    origin: text().notNull(),
    label: text(),
    kind: text().notNull(),
    class: text(),
    rule: text(),
    subCause: text(),
    confidence: text(),
    rulesVersion: text().notNull(),
    text: text().notNull(),
    evidence: text().notNull(),
    /** Which record of its line. */
    part: integer().notNull().default(0),
  },
  (t) => [
    index("observation_key").on(t.keyHash),
    index("observation_batch").on(t.batch),
    // What is made of a line is found and replaced when the line is read again.
    index("observation_line").on(t.batch, t.line, t.part),
    // Holds all that a run's count by kind, label and class needs.
    index("observation_run").on(t.run, t.kind, t.label, t.class, t.at, t.origin).where(sql`main = 1`),
    index("observation_at").on(t.at).where(sql`main = 1`),
  ],
);

export const observationRefs = sqliteTable(
  "observation_refs",
  { refHash: integer().notNull(), observation: integer().notNull() },
  (t) => [primaryKey({ columns: [t.refHash, t.observation] })],
);

export const links = sqliteTable(
  "links",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    main: integer().notNull(),
    fromHash: integer().notNull(),
    toHash: integer().notNull(),
    fromRef: text().notNull(),
    toRef: text().notNull(),
    since: integer(),
    until: integer(),
    how: text().notNull(),
  },
  (t) => [
    index("link_from").on(t.fromHash, t.main, t.batch),
    index("link_to").on(t.toHash, t.main),
    index("link_batch").on(t.batch),
  ],
);

export const facts = sqliteTable(
  "facts",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    main: integer().notNull(),
    refHash: integer().notNull(),
    ref: text().notNull(),
    name: text().notNull(),
    /** JSON, so that a number stays a number. */
    value: text().notNull(),
    rank: integer().notNull(),
    at: integer(),
  },
  (t) => [
    index("fact_ref").on(t.refHash, t.main, t.batch),
    index("fact_batch").on(t.batch),
    index("fact_run").on(t.value).where(sql`name = 'run'`),
  ],
);

export const rollouts = sqliteTable(
  "rollouts",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    main: integer().notNull(),
    id: text().notNull(),
    content: text().notNull(),
    groupId: text().notNull(),
    cluster: text().notNull(),
    origin: text().notNull(),
    source: text().notNull(),
    run: text(),
    task: text().notNull(),
    taskIndex: integer().notNull(),
    attempt: integer().notNull(),
    agent: text(),
    startedAt: integer(),
    endedAt: integer(),
    reward: real(),
    producerPassed: integer(),
    masked: integer(),
    scored: integer().notNull(),
    emptyOutput: integer(),
    hasPatch: integer(),
    sandboxes: text().notNull(),
    node: text(),
    error: text(),
    config: text().notNull(),
  },
  (t) => [
    index("rollout_id").on(t.id, t.content),
    index("rollout_group").on(t.groupId),
    index("rollout_batch").on(t.batch),
    index("rollout_run").on(t.run),
  ],
);

export const planned = sqliteTable(
  "planned",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    run: text(),
    task: text().notNull(),
    taskIndex: integer().notNull(),
    groupId: text().notNull(),
  },
  (t) => [
    uniqueIndex("planned_group").on(t.groupId, t.batch),
    index("planned_run").on(t.run, t.task, t.taskIndex, t.groupId),
    index("planned_batch").on(t.batch),
  ],
);

export const sightings = sqliteTable(
  "sightings",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    ref: text().notNull(),
    run: text(),
    node: text(),
    format: text().notNull(),
    hour: integer(),
    lines: integer().notNull(),
  },
  (t) => [index("sighting_batch").on(t.batch, t.ref, t.format, t.hour), index("sighting_run").on(t.run, t.hour)],
);

export const rejects = sqliteTable(
  "rejects",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    line: integer().notNull(),
    code: text().notNull(),
    message: text().notNull(),
    sample: text().notNull(),
    /** 1: its record is whole by now. */
    aside: integer().notNull().default(0),
    /** Which record of its line; null: none. */
    part: integer(),
  },
  (t) => [index("reject_batch").on(t.batch, t.line)],
);

/**
 * Run labels and node names that a batch's rows name, with the span of their times: answers "which runs are there"
 * without reading rows. Minimum and maximum do not care for repeats, so a batch's marks go with the batch.
 */
export const marks = sqliteTable(
  "marks",
  {
    seq: integer().primaryKey(),
    batch: integer().notNull(),
    run: text(),
    node: text(),
    origin: text().notNull(),
    firstAt: integer(),
    lastAt: integer(),
  },
  (t) => [
    index("mark_batch").on(t.batch),
    index("mark_run").on(t.run, t.origin),
    index("mark_node").on(t.node, t.origin),
  ],
);
