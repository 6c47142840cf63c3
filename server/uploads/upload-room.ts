/** May another file be begun? Said before its first byte is sent. Pure. */
import { CoalmineError } from "@/server/domain/errors";

const MOST_OPEN = 500;

interface Limits {
  /** Bytes that all unfinished uploads together may become. */
  mostBytes: number;
  /** Bytes of one file. */
  maxBodyBytes: number;
}

/** `free`: bytes left on the disk, null when it cannot be told. Throws `too_large`, `busy`, `storage_full`. */
export function requireRoom(
  size: number,
  open: readonly { size: number; offset: number }[],
  { mostBytes, maxBodyBytes }: Limits,
  free: number | null,
): void {
  const most = Math.min(mostBytes, maxBodyBytes);
  if (size > most) throw new CoalmineError("too_large", `size: ${size} bytes, more than this server takes (${most}).`);
  if (open.length >= MOST_OPEN)
    throw new CoalmineError("busy", `${open.length} uploads are unfinished; come again later.`, { retryAfterS: 60 });
  const promised = open.reduce((sum, one) => sum + one.size, 0);
  if (promised + size > mostBytes)
    throw new CoalmineError(
      "storage_full",
      `Unfinished uploads take ${promised} of ${mostBytes} bytes (COALMINE_UPLOAD_SPACE); ${size} more do not fit.`,
    );
  const toCome = size + open.reduce((sum, one) => sum + one.size - one.offset, 0);
  if (free !== null && toCome > free)
    throw new CoalmineError("storage_full", `The disk has ${free} bytes left; ${toCome} are to come.`);
}
