/** One writer at a time: an exclusive transaction on a file of its own, which the system ends with the process. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { CoalmineError } from "@/server/domain/errors";

const LOCK_FILE = "writer.lock";

/** Close what it returns to let the next writer in. Throws `unavailable` while another one writes. */
export function lockForWriting(dataDir: string): Database.Database {
  const lock = new Database(join(dataDir, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith("SQLITE_BUSY")) throw error;
    throw new CoalmineError("unavailable", "Another process has the store of this COALMINE_DATA open for writing.", {
      cause: error,
    });
  }
}
