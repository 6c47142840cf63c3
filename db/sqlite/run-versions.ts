/** The data version at which anything about a run label last changed: what is known of other runs stays known. */
import { sql } from "drizzle-orm";
import type { Connection } from "./connection";
import { oneOf, where } from "./filters";

const TOUCH = `INSERT INTO run_versions (run, version) SELECT ?, value FROM version WHERE one = 1
  ON CONFLICT (run) DO UPDATE SET version = excluded.version`;

/** Inside the transaction that changes something about these runs. */
export function touchRuns(connection: Connection, runs: Iterable<string | null>): void {
  for (const run of new Set(runs)) if (run !== null) connection.statement(TOUCH).run(run);
}

/** Of the store, or of these run labels; 0 before the first change. */
export function dataVersion(connection: Connection, runs: readonly string[] | undefined): number {
  if (runs === undefined) {
    const row = connection.statement("SELECT value FROM version WHERE one = 1").get();
    return row ? (row as { value: number }).value : 0;
  }
  if (runs.length === 0) return 0;
  const row = connection.one<{ version: number | null }>(
    sql`SELECT max(version) AS version FROM run_versions ${where([oneOf(sql`run`, runs)])}`,
  );
  return row?.version ?? 0;
}
