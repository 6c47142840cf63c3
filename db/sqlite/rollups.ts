/**
 * Rollup cells: rollouts counted ahead per run and hour. A change to a rollout takes the cells of its hour away in the same
 * transaction; they are built again from verdicts, never added to, once deriving is done. Until then questions count that
 * hour's verdicts themselves, so that every answer is exact at all times.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Connection } from "./connection";
import { NO_TIME } from "./rows";

export const CELL_MS = 3_600_000;
/** Hours that may wait before they are built even while more is to be derived: questions count them one by one. */
const MOST_DIRTY = 64;

export interface CellPlace {
  run: string | null;
  /** As in `verdicts`: epoch ms or `NO_TIME`. */
  time: number;
}

/** Start of the hour that a verdict counts in. */
function hourOf(time: number): number {
  return time === NO_TIME ? NO_TIME : Math.floor(time / CELL_MS) * CELL_MS;
}

const MARK = `INSERT INTO dirty_cells (run, time)
  SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM dirty_cells WHERE run IS ? AND time = ?)`;

/** Inside the transaction that changes these rollouts. */
export function markCells(connection: Connection, places: Iterable<CellPlace>): void {
  const hours = new Map(
    [...places].map(({ run, time }) => {
      const hour = hourOf(time);
      return [JSON.stringify([run, hour]), { run, hour }];
    }),
  );
  for (const { run, hour } of hours.values()) {
    if (connection.statement(MARK).run(run, hour, run, hour).changes > 0) clear(connection, run, hour);
  }
}

function clear(connection: Connection, run: string | null, hour: number): void {
  for (const table of ["run_cells", "node_cells"])
    connection.statement(`DELETE FROM ${table} WHERE run IS ? AND time = ?`).run(run, hour);
}

/** Builds what waits, inside a transaction: all of it when nothing more is to be derived, else only when it got much. */
export function buildCells(connection: Connection): void {
  const waiting = connection.statement("SELECT run, time FROM dirty_cells ORDER BY run, time").all() as CellPlace[];
  if (waiting.length === 0) return;
  const more = connection.statement("SELECT 1 FROM queue LIMIT 1").get() !== undefined;
  if (more && waiting.length < MOST_DIRTY) return;
  for (const { run, time } of waiting) build(connection, run, time);
  connection.statement("DELETE FROM dirty_cells").run();
}

const COLUMNS = "run, time, origin, node, configKey, verdict, family, class, masked, n, rewarded, rewardSum, absorbed";

function build(connection: Connection, run: string | null, hour: number): void {
  clear(connection, run, hour);
  for (const [table, node] of [
    ["run_cells", "NULL"],
    ["node_cells", "node"],
  ] as const) {
    const dims = `origin, ${node}, configKey, verdict, family, class, masked`;
    connection
      .statement(
        `INSERT INTO ${table} (${COLUMNS}) SELECT run, ?, ${dims}, count(*), count(reward), total(reward), total(absorbed)
         FROM verdicts INDEXED BY verdict_run WHERE run IS ? AND effective = 1 AND time >= ? AND time < ?
         GROUP BY ${dims}`,
      )
      .run(hour, run, hour, hour + CELL_MS);
  }
}

const CELL = sql.raw(COLUMNS);
const SINGLE = sql.raw(`run, time, origin, node, configKey, verdict, family, class, masked,
  1 AS n, reward IS NOT NULL AS rewarded, reward AS rewardSum, absorbed`);

/** `FROM` all cells that fit `where`, and the rollouts of hours without cells as cells of one. */
export function fromCells(withNode: boolean, where: SQL): SQL {
  const table = withNode ? sql`node_cells` : sql`run_cells`;
  return sql`FROM (SELECT ${CELL} FROM ${table} ${where} UNION ALL
    SELECT * FROM (SELECT ${SINGLE} FROM (SELECT run AS dirtyRun, time AS dirtyTime FROM dirty_cells)
      CROSS JOIN verdicts INDEXED BY verdict_run WHERE run IS dirtyRun AND effective = 1
      AND time >= dirtyTime AND time < dirtyTime + ${CELL_MS}) ${where})`;
}
