/** Tables of what is derived from facts (replaced per subject and group), of the queue for deriving, and of control. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * What was derived for a rollout, with a copy of those fields of its record that questions filter and group by.
 * `rollout` is the row of its record; a verdict never outlives it. `time` is `NO_TIME` (rows.ts) when it has none,
 * so that one index gives newest first with those without a time last.
 */
export const verdicts = sqliteTable(
  "verdicts",
  {
    seq: integer().primaryKey(),
    id: text().notNull(),
    content: text().notNull(),
    groupId: text().notNull(),
    rollout: integer().notNull(),
    run: text(),
    origin: text().notNull(),
    task: text().notNull(),
    reward: real(),
    masked: integer(),
    verdict: text().notNull(),
    effective: integer().notNull(),
    class: text(),
    family: text(),
    incident: text(),
    confidence: text(),
    node: text(),
    sandbox: text(),
    configKey: text(),
    suspect: integer().notNull(),
    absorbed: integer().notNull(),
    time: integer().notNull(),
    reason: text().notNull(),
    /** 1: older than the retention, left alone by settling. */
    frozen: integer().notNull().default(0),
  },
  (t) => {
    const counted = [
      t.verdict,
      t.family,
      t.class,
      t.node,
      t.configKey,
      t.masked,
      t.reward,
      t.absorbed,
      t.origin,
    ] as const;
    return [
      uniqueIndex("verdict_id").on(t.id, t.content),
      index("verdict_group").on(t.groupId),
      // These two hold all that a count needs: runs and time windows are counted without touching the table.
      index("verdict_run").on(t.run, t.effective, t.time, t.task, ...counted),
      index("verdict_time").on(t.effective, t.time, t.run, ...counted),
      index("verdict_node").on(t.node, t.effective, t.time),
      index("verdict_run_verdict").on(t.run, t.verdict, t.effective, t.time, t.origin),
    ];
  },
);

export const incidents = sqliteTable(
  "incidents",
  {
    seq: integer().primaryKey(),
    id: text().notNull(),
    ref: text().notNull(),
    class: text().notNull(),
    family: text().notNull(),
    outcome: text().notNull(),
    confidence: text().notNull(),
    cluster: text().notNull(),
    origin: text().notNull(),
    node: text(),
    run: text(),
    rollout: text(),
    sandbox: text(),
    pod: text(),
    configKey: text(),
    source: text().notNull(),
    hitSandboxes: integer().notNull(),
    hitRollouts: integer().notNull(),
    /** First time, `NO_TIME` when it has none. */
    time: integer().notNull(),
    lastAt: integer(),
    attempts: integer().notNull(),
    atLeast: integer().notNull(),
    evidence: integer().notNull(),
    keys: text().notNull(),
    rule: text(),
    subCause: text(),
    symptoms: text().notNull(),
    summary: text().notNull(),
    partOf: text(),
    rulesVersion: text().notNull(),
  },
  (t) => [
    uniqueIndex("incident_id").on(t.id),
    index("incident_ref").on(t.ref),
    // Holds all that a count of a run's classes needs.
    index("incident_run").on(t.run, t.time, t.class, t.outcome, t.partOf, t.family, t.origin),
    index("incident_time").on(t.time),
    index("incident_node").on(t.node, t.time),
    index("incident_rollout").on(t.rollout),
    index("incident_class").on(t.class, t.time, t.id),
    // Holds all that a count of families needs; what the agent did itself outnumbers the others and is passed over.
    index("incident_counted")
      .on(
        t.family,
        t.time,
        t.run,
        t.class,
        t.node,
        t.outcome,
        t.origin,
        t.configKey,
        t.source,
        t.rollout,
        t.cluster,
        t.sandbox,
      )
      .where(sql`partOf IS NULL`),
  ],
);

/** Refs to derive again. `version` is the data version that queued it last: what was queued again meanwhile stays. */
export const queue = sqliteTable(
  "queue",
  { seq: integer().primaryKey({ autoIncrement: true }), ref: text().notNull(), version: integer().notNull() },
  (t) => [uniqueIndex("queue_ref").on(t.ref)],
);

export const runSettings = sqliteTable("run_settings", {
  id: text().primaryKey(),
  name: text(),
  planned: integer(),
  config: text().notNull(),
  notes: text(),
  labels: text().notNull(),
  aliases: text().notNull(),
  passAt: real().notNull(),
  endedAt: integer(),
  updatedAt: integer().notNull(),
});

export const settings = sqliteTable("settings", { name: text().primaryKey(), value: text().notNull() });

/** One row: the data version. */
export const version = sqliteTable("version", { one: integer().notNull(), value: integer().notNull() }, (t) => [
  primaryKey({ columns: [t.one] }),
]);
