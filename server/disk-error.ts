/** What the system says about files of our own, by what the user can do about it. Pure. */
import { CoalmineError } from "@/server/domain/errors";

/** `storage_full` or `unavailable` for an error of the disk, with `what` was not written; anything else as it is. */
export function diskError(error: unknown, what: string): unknown {
  if (error instanceof CoalmineError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new CoalmineError("storage_full", `No space is left on the disk of COALMINE_DATA for ${what}.`, {
      cause: error,
    });
  }
  if (/^(EROFS|EACCES|EPERM|EIO|EMFILE|ENFILE|ENOTDIR|EEXIST|EISDIR)$/.test(code)) {
    return new CoalmineError("unavailable", `The folder of COALMINE_DATA cannot be used for ${what} (${code}).`, {
      cause: error,
    });
  }
  return error;
}

/** Throws what `diskError` makes of a failure of `work`. */
export async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error, what);
  }
}
