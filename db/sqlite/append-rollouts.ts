/** Appends rollout records, plans, sightings and rejects of one batch, inside the caller's transaction. */
import type { Reject, Sighting } from "@/server/domain/facts";
import type { PlannedRollout, RolloutRecord } from "@/server/domain/rollout";
import type { Connection } from "./connection";
import { insertInto } from "./insert";
import { fromRollout, type RolloutRow } from "./rows";
import { touchRuns } from "./run-versions";
import { planned, rejects, rollouts, sightings } from "./schema";
import { chooseRollout } from "./winners";

const KNOWN = "SELECT * FROM rollouts WHERE id = ? AND content = ?";

/** Returns how many records were there before. */
export function appendRollouts(connection: Connection, batch: number, rows: readonly RolloutRecord[]): number {
  const insert = insertInto(connection, rollouts);
  let duplicates = 0;
  for (const rollout of rows) {
    const row = fromRollout(rollout, batch);
    const known = connection.statement(KNOWN).all(row.id, row.content) as RolloutRow[];
    if (known.length > 0) duplicates++;
    if (known.some((other) => other.batch === batch && sameRollout(other, row))) continue;
    insert(known.length > 0 ? { ...row, main: 0 } : row);
    if (known.length > 0) chooseRollout(connection, row.id, row.content);
  }
  return duplicates;
}

function sameRollout(known: RolloutRow, row: Omit<RolloutRow, "seq">): boolean {
  return Object.entries(row).every(([name, value]) => name === "main" || known[name as keyof RolloutRow] === value);
}

const SAME_PLAN = "SELECT 1 FROM planned WHERE groupId = ? AND batch = ?";

export function appendPlanned(connection: Connection, batch: number, rows: readonly PlannedRollout[]): void {
  const insert = insertInto(connection, planned);
  for (const { run, task, index, group } of rows) {
    if (connection.statement(SAME_PLAN).get(group, batch)) continue;
    insert({ batch, run, task, taskIndex: index, groupId: group });
  }
}

const MORE_LINES = `UPDATE sightings SET lines = lines + ?
  WHERE batch = ? AND ref = ? AND format = ? AND hour IS ? AND run IS ? AND node IS ?`;

export function appendSightings(connection: Connection, batch: number, rows: readonly Sighting[]): void {
  const insert = insertInto(connection, sightings);
  touchRuns(
    connection,
    rows.map((row) => row.run),
  );
  for (const row of rows) {
    const { ref, run, node, format, hour, lines } = row;
    const known = connection.statement(MORE_LINES).run(lines, batch, ref, format, hour, run, node).changes > 0;
    if (!known) insert({ batch, ref, run, node, format, hour, lines });
  }
}

export function appendRejects(connection: Connection, batch: number, rows: readonly Reject[]): void {
  const insert = insertInto(connection, rejects);
  for (const { part = null, ...row } of rows) insert({ ...row, part, batch, aside: 0 });
}
