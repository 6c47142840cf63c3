/** Tables of what is counted ahead and of which run changed when. All can be made again from derived rows. */
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Counts of effective rollouts of one run in one hour. `time` is the hour's start (`NO_TIME` for those without one), so
 * that what cuts verdicts by time cuts cells alike. `n`, `rewarded` and `absorbed` are sums over the cell's rollouts.
 */
const cell = () => ({
  seq: integer().primaryKey(),
  run: text(),
  time: integer().notNull(),
  origin: text().notNull(),
  node: text(),
  configKey: text(),
  verdict: text().notNull(),
  family: text(),
  class: text(),
  masked: integer(),
  n: integer().notNull(),
  rewarded: integer().notNull(),
  rewardSum: real().notNull(),
  absorbed: integer().notNull(),
});

/** Without their nodes (`node` is null): few rows, for all that does not ask where. */
export const runCells = sqliteTable("run_cells", cell(), (t) => [
  index("run_cell_run").on(t.run, t.time),
  index("run_cell_time").on(t.time),
]);

export const nodeCells = sqliteTable("node_cells", cell(), (t) => [
  index("node_cell_run").on(t.run, t.time),
  index("node_cell_time").on(t.time),
  index("node_cell_node").on(t.node, t.time),
]);

/** The same by UTC day, added up from the hours: a sixth of the rows or less, for what is asked of days or of all time. */
export const runDays = sqliteTable("run_days", cell(), (t) => [
  index("run_day_run").on(t.run, t.time),
  index("run_day_time").on(t.time),
]);

export const nodeDays = sqliteTable("node_days", cell(), (t) => [
  index("node_day_run").on(t.run, t.time),
  index("node_day_time").on(t.time),
  index("node_day_node").on(t.node, t.time),
]);

const dirty = () => ({ seq: integer().primaryKey(), run: text(), time: integer().notNull() });

/** Hours of runs whose cells are gone because a rollout in them changed: counted from verdicts until they are built again. */
export const dirtyCells = sqliteTable("dirty_cells", dirty(), (t) => [index("dirty_cell").on(t.run, t.time)]);

/** Days of runs without their cells, which hold every dirty hour: counted from their hours meanwhile. */
export const dirtyDays = sqliteTable("dirty_days", dirty(), (t) => [index("dirty_day").on(t.run, t.time)]);

/** The data version at which anything about a run label last changed. */
export const runVersions = sqliteTable("run_versions", { run: text().primaryKey(), version: integer().notNull() });

/** Incident ids that deriving replaced, and by which. */
export const replacedIncidents = sqliteTable("replaced_incidents", { id: text().primaryKey(), by: text().notNull() });
