/** Appends one piece of an upload to its file: all of it that comes, also when its sender goes away. */
import type { FileHandle } from "node:fs/promises";
import { diskError, onDisk } from "@/server/disk-error";
import { CoalmineError } from "@/server/domain/errors";

interface Bounds {
  /** Where in the file the piece begins. */
  from: number;
  /** Bytes that are still missing; more than these are refused. */
  room: number;
  /** Aborts when another sender takes over, or the process stops. */
  signal: AbortSignal;
}

/** `kept` is told of bytes as they are written; all of them are durable when this settles. Closes the file. Throws `too_large`, `conflict`, `storage_full`, `unavailable`. */
export async function writePiece(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  { from, room, signal }: Bounds,
  kept: (bytes: number) => void,
): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  let at = from;
  try {
    for (;;) {
      const next = await unlessAborted(chunks.next(), signal);
      if (next.done) return;
      if (at + next.value.length > from + room)
        throw new CoalmineError("too_large", `The piece is longer than the ${room} bytes that were missing.`);
      await writeWhole(file, next.value, at);
      at += next.value.length;
      kept(next.value.length);
    }
  } catch (error) {
    throw diskError(error, "the upload");
  } finally {
    // Not awaited: the sender may be silent for ever.
    void chunks.return?.()?.catch(() => undefined);
    await onDisk("the upload", () => file.sync().finally(() => file.close()));
  }
}

/** A write may take less than it is given. */
async function writeWhole(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = new CoalmineError("conflict", "Another call goes on with this upload, or the server stops.");
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(left);
    const abort = () => reject(left);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
