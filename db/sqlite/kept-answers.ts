/** A file of computed answers beside the store: thrown away when it cannot be read, and never in anybody's way. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

/** Answers kept, a few kilobytes each. */
const MOST = 5000;
/** Written between two looks at how many there are. */
const EVERY = 200;
const FILE = "answers.db";
const SETTING_UP = `CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, usedAt INTEGER NOT NULL, bytes BLOB NOT NULL)
  WITHOUT ROWID`;
const TRIM = `DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY usedAt DESC LIMIT -1 OFFSET ${MOST})`;

export interface KeptAnswersFile {
  get(key: string): Uint8Array | null;
  put(key: string, bytes: Uint8Array): void;
  close(): void;
}

/** Never throws: where no file can be kept, nothing is. */
export function openKeptAnswersFile(dataDir: string): KeptAnswersFile {
  const database = open(dataDir, true);
  if (database === null) return { get: () => null, put: () => undefined, close: () => undefined };
  let written = 0;
  return {
    get: (key) =>
      orNull(() => {
        const row = database.prepare("SELECT bytes FROM answers WHERE key = ?").get(key);
        if (row === undefined) return null;
        database.prepare("UPDATE answers SET usedAt = ? WHERE key = ?").run(Date.now(), key);
        return (row as { bytes: Uint8Array }).bytes;
      }),
    put(key, bytes) {
      orNull(() => {
        database
          .prepare("INSERT OR REPLACE INTO answers (key, usedAt, bytes) VALUES (?, ?, ?)")
          .run(key, Date.now(), bytes);
        if (++written % EVERY === 0) database.exec(TRIM);
      });
    },
    close: () => database.close(),
  };
}

function open(dataDir: string, again: boolean): Database.Database | null {
  const path = join(dataDir, FILE);
  try {
    mkdirSync(dataDir, { recursive: true });
    const database = new Database(path, { timeout: 1000 });
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = OFF");
    database.exec(SETTING_UP);
    return database;
  } catch {
    for (const end of ["", "-wal", "-shm"]) orNull(() => rmSync(path + end, { force: true }));
    return again ? open(dataDir, false) : null;
  }
}

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
