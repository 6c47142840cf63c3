/** The end of reading a delivery again: what its lines give as a whole takes the place of what they gave before. */
import { type SQL, sql } from "drizzle-orm";
import type { Ref } from "@/server/domain/refs";
import type { RereadEnd, RereadWhole } from "@/server/domain/rereading";
import type { Writing } from "./append";
import { appendFacts, strongest } from "./append-evidence";
import type { Connection } from "./connection";
import { dropFacts, dropLinks, dropRollouts, remove } from "./drop-rows";
import { numbersIn } from "./filters";
import { NewSpans } from "./new-spans";
import { dropPieces } from "./pieces";
import type { BatchRow, FactRow, LinkRow, PlannedRow, RolloutRow } from "./rows";
import { touchRuns } from "./run-versions";
import type { pieces } from "./schema-pieces";

const COUNTS = `UPDATE batches SET records = ?, observations = ?, rollouts = ?, routine = ?, rejected = ?, format = ?,
  rulesVersion = ? WHERE seq = ?`;

/** Before its last rows come: takes away what those replace as a whole. Returns what that touches. */
export function beginEnd(connection: Connection, batch: number, { pieces: gone, sightingsStay }: RereadEnd): Ref[] {
  const rows = connection.all<typeof pieces.$inferSelect>(
    sql`SELECT * FROM pieces WHERE batch = ${batch} AND ${numbersIn(sql`seq`, gone)}`,
  );
  const touched = dropPieces(connection, rows);
  if (sightingsStay === null) return touched;
  const seen = connection.all<{ run: string | null }>(
    sql`DELETE FROM sightings WHERE batch = ${batch}
      AND format NOT IN (SELECT value FROM json_each(${JSON.stringify(sightingsStay)})) RETURNING run`,
  );
  touchRuns(
    connection,
    seen.map((row) => row.run),
  );
  return touched;
}

/** After its last rows have come. Returns what it touches. */
export function endReread({ connection }: Writing, batch: BatchRow, { readerVersion, whole }: RereadEnd): Ref[] {
  connection.run(sql`UPDATE batches SET readerVersion = ${readerVersion} WHERE seq = ${batch.seq}`);
  if (!whole) return [];
  const { counts, format, rulesVersion, only } = whole;
  const { records, observations, rollouts, routine, rejected } = counts;
  const judgedBy = observations > 0 ? rulesVersion : null;
  connection.statement(COUNTS).run(records, observations, rollouts, routine, rejected, format, judgedBy, batch.seq);
  return only === null ? [] : leaveOnly(connection, batch.seq, only);
}

function leaveOnly(connection: Connection, batch: number, only: NonNullable<RereadWhole["only"]>): Ref[] {
  const of = <Row>(table: SQL) => connection.all<Row>(sql`SELECT * FROM ${table} WHERE batch = ${batch}`);
  const links = new Set(only.links.map(linkKey));
  const facts = new Set([...strongest(only.facts)].map(factKey));
  const records = new Set(only.rollouts.map((row) => `${row.id} ${row.content}`));
  const groups = new Set(only.planned.map((row) => row.group));
  const goneLinks = of<LinkRow>(sql`links`).filter(
    (row) => !links.has(linkKey({ ...row, from: row.fromRef, to: row.toRef })),
  );
  const goneFacts = of<FactRow>(sql`facts`).filter((row) => !facts.has(factKey(row)));
  const goneRollouts = of<RolloutRow>(sql`rollouts`).filter((row) => !records.has(`${row.id} ${row.content}`));
  const gonePlans = of<PlannedRow>(sql`planned`).filter((row) => !groups.has(row.groupId));
  const touched = [
    ...dropLinks(connection, goneLinks),
    ...dropFacts(connection, goneFacts),
    ...dropRollouts(connection, goneRollouts),
  ];
  remove(connection, "planned", gonePlans);
  touchRuns(
    connection,
    [...goneRollouts, ...gonePlans].map((row) => row.run),
  );
  // Of a fact only the strongest of a delivery is kept: one that was stronger before stood in the way of this one.
  appendFacts(connection, batch, only.facts, new NewSpans());
  return [...touched, ...(goneFacts.length > 0 ? only.facts.map((fact) => fact.ref) : [])];
}

function linkKey(row: { from: string; to: string; since: number | null; until: number | null; how: string }): string {
  return JSON.stringify([row.from, row.to, row.since, row.until, row.how]);
}

function factKey(row: Pick<FactRow, "ref" | "name" | "value" | "rank" | "at">): string {
  return JSON.stringify([row.ref, row.name, row.value, row.rank, row.at]);
}
