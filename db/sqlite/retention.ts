/** Letting go of old evidence: in chunks of their own transactions, without deriving again what it had led to. */
import { type SQL, sql } from "drizzle-orm";
import type { Facts } from "@/server/domain/store";
import { removeBlocks } from "./archive-append";
import type { Connection } from "./connection";
import { dropWhole, giveBackSpace } from "./drop";
import { numbersIn, oneOf } from "./filters";
import { cutPage, pageLimit, readCursor } from "./pages";
import { dropOldPieces } from "./pieces";
import type { Queue } from "./queue";
import { NO_TIME, type ObservationRow, toObservation } from "./rows";
import { touchRuns } from "./run-versions";
import type { PlainMethods } from "./storage-errors";
import { textHash } from "./text-hash";

type Retention = PlainMethods<
  Pick<Facts, "observationsBefore" | "countBefore" | "freezeBefore" | "dropSubjects" | "dropBefore">
>;

/** Rows a transaction. */
const CHUNK = 2000;
const BLOCKS = 200;

export function retentionMethods(connection: Connection, queue: Queue): Retention {
  return {
    observationsBefore(before, timed, page) {
      const limit = pageLimit(page);
      const [at, seq] = (readCursor(page, "before", ["number", "number"]) ?? [NO_TIME, 0]) as [number, number];
      const rows = connection.all<ObservationRow>(
        timed
          ? sql`SELECT * FROM observations WHERE main = 1 AND at < ${before} AND (at, seq) > (${at}, ${seq})
              ORDER BY at, seq LIMIT ${limit + 1}`
          : sql`SELECT * FROM observations WHERE main = 1 AND at IS NULL AND seq > ${seq}
              AND batch IN (SELECT seq FROM batches WHERE receivedAt < ${before}) ORDER BY seq LIMIT ${limit + 1}`,
      );
      return cutPage(rows, limit, "before", (row) => [row.at ?? NO_TIME, row.seq], toObservation);
    },
    countBefore(before) {
      const count = (from: SQL) => connection.one<{ n: number }>(sql`SELECT count(*) AS n FROM ${from}`)?.n ?? 0;
      return {
        observations: count(sql`observations WHERE main = 1 AND at < ${before}`),
        rollouts: count(sql`verdicts WHERE effective = 1 AND time < ${before} AND time > ${NO_TIME}`),
        archiveBlocks: count(sql`archive_blocks WHERE until < ${before}`),
      };
    },
    async freezeBefore(before) {
      for (const effective of [0, 1]) await freeze(connection, effective, before);
    },
    dropSubjects: ({ keys, refs }) => connection.write(() => dropSubjects(connection, keys, refs)),
    async dropBefore(before) {
      const cameBefore = sql`batch IN (SELECT seq FROM batches WHERE receivedAt < ${before})`;
      await repeat(() => dropBlocks(connection, before));
      await repeat(() => dropOldPieces(connection, before, CHUNK));
      await repeat(() => dropSome(connection, "sightings", sql`hour < ${before}`));
      await repeat(() => dropSome(connection, "rejects", cameBefore));
      await repeat(() => dropSharedIncidents(connection, before));
      for (const batch of emptied(connection, before)) await dropWhole(connection, queue, batch);
      await giveBackSpace(connection);
    },
  };
}

/** From the oldest on, so that what stands already is passed over once and not for each chunk. */
async function freeze(connection: Connection, effective: number, before: number): Promise<void> {
  let from = NO_TIME + 1;
  await repeat(() => {
    const some = sql`SELECT seq FROM verdicts WHERE effective = ${effective} AND frozen = 0
      AND time >= ${from} AND time < ${before} ORDER BY time LIMIT ${CHUNK}`;
    const frozen = connection.write(() =>
      connection.all<{ time: number }>(sql`UPDATE verdicts SET frozen = 1 WHERE seq IN (${some}) RETURNING time`),
    );
    for (const { time } of frozen) from = Math.max(from, time);
    return frozen.length;
  });
}

/** Of these groups those that have a verdict which stands as it is. */
export function frozenGroups(connection: Connection, groups: readonly string[]): Set<string> {
  if (groups.length === 0) return new Set();
  const found = connection.all<{ groupId: string }>(
    sql`SELECT DISTINCT groupId FROM verdicts WHERE ${oneOf(sql`groupId`, groups)} AND frozen = 1`,
  );
  return new Set(found.map((row) => row.groupId));
}

function dropSubjects(connection: Connection, keys: readonly string[], refs: readonly string[]): void {
  const runs = new Set<string | null>();
  const wanted = new Set(keys);
  const observations = connection
    .all<ObservationRow>(sql`SELECT * FROM observations WHERE ${numbersIn(sql`keyHash`, keys.map(textHash))}`)
    .filter((row) => wanted.has(row.key));
  const unref = connection.statement("DELETE FROM observation_refs WHERE observation = ? AND refHash = ?");
  for (const row of observations) {
    for (const ref of JSON.parse(row.refs) as string[]) unref.run(row.seq, textHash(ref));
    runs.add(row.run);
  }
  connection.run(
    sql`DELETE FROM observations WHERE ${numbersIn(
      sql`seq`,
      observations.map((row) => row.seq),
    )}`,
  );
  const hashes = refs.map(textHash);
  connection.run(sql`DELETE FROM links WHERE ${numbersIn(sql`fromHash`, hashes)} AND ${textIn(sql`fromRef`, refs)}`);
  connection.run(sql`DELETE FROM facts WHERE ${numbersIn(sql`refHash`, hashes)} AND ${textIn(sql`ref`, refs)}`);
  const incidents = connection.all<{ id: string; run: string | null }>(
    sql`DELETE FROM incidents WHERE ${textIn(sql`ref`, refs)} RETURNING id, run`,
  );
  for (const { run } of incidents) runs.add(run);
  connection.run(
    sql`UPDATE verdicts SET incident = NULL WHERE frozen = 1 AND ${textIn(
      sql`incident`,
      incidents.map((one) => one.id),
    )}`,
  );
  connection.run(sql`DELETE FROM queue WHERE ${textIn(sql`ref`, refs)}`);
  touchRuns(connection, runs);
}

function textIn(column: SQL, texts: readonly string[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`;
}

/** Rows that say nothing of a subject. */
function dropSome(connection: Connection, table: "sightings" | "rejects", old: SQL): number {
  const name = sql.raw(table);
  return connection.write(() =>
    connection.run(sql`DELETE FROM ${name} WHERE seq IN (SELECT seq FROM ${name} WHERE ${old} LIMIT ${CHUNK})`),
  );
}

function dropBlocks(connection: Connection, before: number): number {
  return connection.write(() => {
    const blocks = connection.all<{ seq: number; batch: number }>(
      sql`SELECT seq, batch FROM archive_blocks WHERE until < ${before} LIMIT ${BLOCKS}`,
    );
    removeBlocks(connection, blocks);
    return blocks.length;
  });
}

/** Faults that several subjects shared stand apart from them. */
function dropSharedIncidents(connection: Connection, before: number): number {
  const old = sql`ref >= 'shared:' AND ref < 'shared;' AND time < ${before} AND coalesce(lastAt, time) < ${before}`;
  return connection.write(() =>
    connection.run(sql`DELETE FROM incidents WHERE seq IN (SELECT seq FROM incidents WHERE ${old} LIMIT ${CHUNK})`),
  );
}

/** Deliveries from before of which no row is left that says anything. */
function emptied(connection: Connection, before: number): number[] {
  const none = ["observations", "rollouts", "links", "facts", "planned", "archive_blocks"].map(
    (table) => sql`NOT EXISTS (SELECT 1 FROM ${sql.raw(table)} AS t WHERE t.batch = b.seq)`,
  );
  const rows = connection.all<{ seq: number }>(
    sql`SELECT seq FROM batches AS b WHERE state = 'complete' AND receivedAt < ${before} AND ${sql.join(none, sql` AND `)}`,
  );
  return rows.map((row) => row.seq);
}

async function repeat(work: () => number): Promise<void> {
  while (work() > 0) await new Promise((resolve) => setImmediate(resolve));
}
