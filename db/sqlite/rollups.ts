/**
 * Rollup cells: rollouts counted ahead per run and hour, and those added up per day. A change to a rollout takes the cells
 * of its hour and day away in the same transaction; they are built again from verdicts, never added to, once deriving is
 * done. Until then questions count that hour's verdicts themselves, so that every answer is exact at all times.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Connection } from "./connection";
import { NO_TIME } from "./rows";

export const CELL_MS = 3_600_000;
export const DAY_MS = 24 * CELL_MS;
/** Hours that may wait before they are built even while more is to be derived: questions count them one by one. */
const MOST_DIRTY = 64;

export interface CellPlace {
  run: string | null;
  /** As in `verdicts`: epoch ms or `NO_TIME`. */
  time: number;
}

/** Cells of one width: their tables, without and with nodes, and the places that wait to be built. */
interface Level {
  ms: number;
  run: string;
  node: string;
  dirty: string;
}

const HOURS: Level = { ms: CELL_MS, run: "run_cells", node: "node_cells", dirty: "dirty_cells" };
const DAYS: Level = { ms: DAY_MS, run: "run_days", node: "node_days", dirty: "dirty_days" };

/** Inside the transaction that changes these rollouts. */
export function markCells(connection: Connection, places: Iterable<CellPlace>): void {
  const hours = mark(connection, HOURS, places);
  if (hours.length > 0) mark(connection, DAYS, hours);
}

/** Takes away the cells of these places that are still there; returns those places. */
function mark(connection: Connection, level: Level, places: Iterable<CellPlace>): CellPlace[] {
  const note = connection.statement(`INSERT INTO ${level.dirty} (run, time)
    SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM ${level.dirty} WHERE run IS ? AND time = ?)`);
  const starts = new Map<string, CellPlace>();
  for (const { run, time } of places) {
    const start = time === NO_TIME ? NO_TIME : Math.floor(time / level.ms) * level.ms;
    starts.set(JSON.stringify([run, start]), { run, time: start });
  }
  const marked = [...starts.values()].filter(({ run, time }) => note.run(run, time, run, time).changes > 0);
  for (const place of marked) clear(connection, level, place);
  return marked;
}

function clear(connection: Connection, level: Level, { run, time }: CellPlace): void {
  for (const table of [level.run, level.node])
    connection.statement(`DELETE FROM ${table} WHERE run IS ? AND time = ?`).run(run, time);
}

/** Builds what waits, inside a transaction: all of it when nothing more is to be derived, else only hours that got many. */
export function buildCells(connection: Connection): void {
  const hours = waiting(connection, HOURS);
  const days = waiting(connection, DAYS);
  if (hours.length + days.length === 0) return;
  const more = connection.statement("SELECT 1 FROM queue LIMIT 1").get() !== undefined;
  if (!more || hours.length >= MOST_DIRTY) build(connection, HOURS, hours);
  if (!more) build(connection, DAYS, days);
}

function waiting(connection: Connection, { dirty }: Level): CellPlace[] {
  return connection.statement(`SELECT run, time FROM ${dirty} ORDER BY run, time`).all() as CellPlace[];
}

const COLUMNS = "run, time, origin, node, configKey, verdict, family, class, masked, n, rewarded, rewardSum, absorbed";

function build(connection: Connection, level: Level, places: readonly CellPlace[]): void {
  for (const place of places) {
    clear(connection, level, place);
    for (const withNode of [false, true]) {
      const dims = `origin, ${withNode ? "node" : "NULL"}, configKey, verdict, family, class, masked`;
      connection
        .statement(
          `INSERT INTO ${withNode ? level.node : level.run} (${COLUMNS}) SELECT run, ?, ${dims}, ${addedUp(level, withNode)}
           AND run IS ? AND time >= ? AND time < ? GROUP BY ${dims}`,
        )
        .run(place.time, place.run, place.time, place.time + level.ms);
    }
  }
  connection.statement(`DELETE FROM ${level.dirty}`).run();
}

/** The counts of a cell, of verdicts or of the hours of a day, up to its place. */
function addedUp(level: Level, withNode: boolean): string {
  if (level === HOURS)
    return `count(*), count(reward), total(reward), total(absorbed)
      FROM verdicts INDEXED BY verdict_run WHERE effective = 1`;
  const [table, index] = withNode ? [HOURS.node, "node_cell_run"] : [HOURS.run, "run_cell_run"];
  return `total(n), total(rewarded), total(rewardSum), total(absorbed) FROM ${table} INDEXED BY ${index} WHERE 1`;
}

const CELL = sql.raw(COLUMNS);
const SINGLE = sql.raw(`run, time, origin, node, configKey, verdict, family, class, masked,
  1 AS n, reward IS NOT NULL AS rewarded, reward AS rewardSum, absorbed`);

/**
 * `FROM` all cells that fit `where`, and the rollouts of hours without cells as cells of one. `byDay` where no cut of the
 * question is within a day.
 */
export function fromCells({ withNode, byDay }: { withNode: boolean; byDay: boolean }, where: SQL): SQL {
  const hours = sql.raw(withNode ? HOURS.node : HOURS.run);
  const cells = byDay
    ? sql`SELECT ${CELL} FROM ${sql.raw(withNode ? DAYS.node : DAYS.run)} ${where} UNION ALL
      SELECT * FROM (SELECT ${CELL} FROM ${dirtyPlaces(DAYS)}
        CROSS JOIN ${hours} INDEXED BY ${sql.raw(withNode ? "node_cell_run" : "run_cell_run")} WHERE ${within(DAYS)}) ${where}`
    : sql`SELECT ${CELL} FROM ${hours} ${where}`;
  return sql`FROM (${cells} UNION ALL
    SELECT * FROM (SELECT ${SINGLE} FROM ${dirtyPlaces(HOURS)}
      CROSS JOIN verdicts INDEXED BY verdict_run WHERE effective = 1 AND ${within(HOURS)}) ${where})`;
}

function dirtyPlaces({ dirty }: Level): SQL {
  return sql.raw(`(SELECT run AS dirtyRun, time AS dirtyTime FROM ${dirty})`);
}

function within({ ms }: Level): SQL {
  return sql`run IS dirtyRun AND time >= dirtyTime AND time < dirtyTime + ${ms}`;
}
