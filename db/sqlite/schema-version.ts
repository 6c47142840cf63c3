/** The schema's version is the time of its newest migration: older files are brought up to date, newer ones left alone. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { CoalmineError } from "@/server/domain/errors";

const TABLE = "__drizzle_migrations";

/** Throws `unavailable` for a file that migrations unknown to us have changed: we would write rows that they no longer mean. */
export function refuseNewer(client: Database.Database, folder: string): void {
  if (!client.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(TABLE)) return;
  const { at } = client.prepare(`SELECT max(created_at) AS at FROM ${TABLE}`).get() as { at: number | null };
  if (at === null || Number(at) <= newestOf(folder)) return;
  throw new CoalmineError(
    "unavailable",
    "The store was set up by a newer version of Coalmine, which this one cannot read. Start the newer version, or choose another COALMINE_DATA.",
  );
}

/** Runs the migrations that are missing. */
export function bringUpToDate(client: Database.Database, folder: string): void {
  newestOf(folder);
  migrate(drizzle(client), { migrationsFolder: folder });
}

/** Epoch ms of the newest migration that we have. Throws `unavailable` when there are none. */
function newestOf(folder: string): number {
  const journal = join(folder, "meta", "_journal.json");
  if (!existsSync(journal)) {
    throw new CoalmineError("unavailable", `The migrations of the store are not in ${folder}.`);
  }
  const { entries } = JSON.parse(readFileSync(journal, "utf8")) as { entries: { when: number }[] };
  return Math.max(...entries.map((entry) => entry.when));
}
