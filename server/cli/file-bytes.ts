import { createReadStream } from "node:fs";
import { Readable } from "node:stream";

const CHUNK_BYTES = 262_144;

/** The bytes of a file, or of its part `[from, to)`, read as they are taken; `seen` is told of each chunk after it was taken. */
export function fileBytes(
  path: string,
  seen: (bytes: number) => void,
  { from = 0, to, chunkBytes = CHUNK_BYTES }: { from?: number; to?: number; chunkBytes?: number } = {},
): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const end = to === undefined ? undefined : to - 1;
    for await (const chunk of createReadStream(path, { start: from, end, highWaterMark: chunkBytes })) {
      yield chunk as Uint8Array;
      seen((chunk as Uint8Array).length);
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}
