/** Turns what SQLite throws into the product's error codes, and synchronous answers into promises. */
import { CoalmineError } from "@/server/domain/errors";

/** A method of a store before it is made asynchronous; long work may be so already. */
type Plain<F> = F extends (...args: infer A) => Promise<infer R> ? (...args: A) => R | Promise<R> : never;
export type PlainMethods<T> = { [K in keyof T]: Plain<T[K]> };

type Method = (...args: unknown[]) => unknown;

/** Every method answers with a promise and fails with a `CoalmineError`. */
export function guarded<T extends object>(methods: PlainMethods<T>): T {
  const entries = Object.entries(methods as Record<string, Method>).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await method(...args);
      } catch (error) {
        throw storageError(error);
      }
    },
  ]);
  return Object.fromEntries(entries) as T;
}

/** Errors of SQLite by what the caller can do about them; anything else is passed on as it is. */
export function storageError(error: unknown): unknown {
  if (error instanceof CoalmineError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "SQLITE_FULL" || code === "SQLITE_IOERR_WRITE" || code === "ENOSPC") {
    return new CoalmineError("storage_full", "The disk of the store is full; nothing of this write was kept.", {
      cause: error,
    });
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new CoalmineError("unavailable", "The store is busy.", { cause: error, retryAfterS: 1 });
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new CoalmineError("unavailable", `The store's file is damaged or no store (${code}).`, { cause: error });
  }
  if (/^SQLITE_(CANTOPEN|IOERR|READONLY|PERM|PROTOCOL)/.test(code)) {
    return new CoalmineError("unavailable", `The store cannot be used: may COALMINE_DATA be written? (${code})`, {
      cause: error,
    });
  }
  if (/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST)$/.test(code)) {
    return new CoalmineError("unavailable", `The folder of COALMINE_DATA cannot be made or written (${code}).`, {
      cause: error,
    });
  }
  if (error instanceof TypeError && error.message.includes("connection is not open")) {
    return new CoalmineError("unavailable", "The store is closed.", { cause: error });
  }
  return error;
}
