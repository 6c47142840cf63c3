/** Replaces the incidents of subjects, inside the caller's transaction; what is as it was is not written again. */
import { getTableColumns } from "drizzle-orm";
import type { Incident } from "@/server/domain/incident";
import type { Connection } from "./connection";
import { fromIncident, type IncidentRow } from "./derived-rows";
import { insertInto } from "./insert";
import { touchRuns } from "./run-versions";
import { incidents } from "./schema-derived";

const OF_SUBJECT = "SELECT * FROM incidents WHERE ref = ?";
const OF_ID = "SELECT * FROM incidents WHERE id = ?";
const DROP = "DELETE FROM incidents WHERE seq = ?";
const COLUMNS = Object.keys(getTableColumns(incidents)).filter((name) => name !== "seq") as (keyof NewRow)[];

type NewRow = Omit<IncidentRow, "seq">;

/** Afterwards the subjects have those of `rows` that are theirs, and no others. Of two rows with one id the later counts. */
export function replaceIncidents(connection: Connection, subjects: readonly string[], rows: readonly Incident[]): void {
  const ofSubject = connection.statement(OF_SUBJECT);
  const ofId = connection.statement(OF_ID);
  const insert = insertInto(connection, incidents);
  const known = new Map<string, IncidentRow>();
  for (const subject of new Set(subjects))
    for (const row of ofSubject.all(subject) as IncidentRow[]) known.set(row.id, row);
  const runs = new Set([...known.values()].map((row) => row.run));
  const gone = new Set(known.keys());
  for (const incident of rows) {
    const row = fromIncident(incident);
    const before = known.get(row.id) ?? (ofId.get(row.id) as IncidentRow | undefined);
    runs.add(row.run).add(before?.run ?? null);
    gone.delete(row.id);
    if (before) update(connection, before, row);
    known.set(row.id, { ...row, seq: before?.seq ?? insert(row) });
  }
  for (const id of gone) connection.statement(DROP).run(known.get(id)?.seq);
  touchRuns(connection, runs);
}

/** Sets what differs alone: an index without any of these columns is left as it is. */
function update(connection: Connection, before: IncidentRow, row: NewRow): void {
  const changed = COLUMNS.filter((name) => row[name] !== before[name]);
  if (changed.length === 0) return;
  const values = changed.map((name) => row[name]);
  const set = changed.map((name) => `"${name}" = ?`).join(", ");
  connection.statement(`UPDATE incidents SET ${set} WHERE seq = ?`).run(...values, before.seq);
}
