/** Decodes Zstandard as a stream where Node.js cannot: frames one after the other, as `zstd` and `pzstd` write them. */
import { Duplex } from "node:stream";
import { Decompress } from "fzstd";

/** Bytes of memory that a body may ask for, as Node.js' own decoder has it; `zstd -19` asks for 8 MiB. */
const MOST_WINDOW = 128 * 1024 * 1024;
/** Longest header of a frame. */
const HEADER_BYTES = 18;
/** Four bytes may stand for 128 KiB, and a piece is decoded in one go: so small that its output can be held. */
const PIECE_BYTES = 4096;
/** Pieces whose output grew more than this are followed by smaller ones. */
const STEEP = 64;
const STEEP_PIECE_BYTES = 128;

/** Fails with a code that begins with `ZSTD_` when the bytes are not whole Zstandard, or ask for too much memory. */
export function zstdStream(): Duplex {
  return Duplex.from(decode);
}

async function* decode(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  const decoder = new Decompress((bytes) => {
    if (bytes.length > 0) out.push(bytes);
  });
  let head: Buffer | null = Buffer.alloc(0);
  let size = STEEP_PIECE_BYTES;
  for await (const chunk of source) {
    head = head && Buffer.concat([head, chunk]);
    if (head && head.length < HEADER_BYTES) continue;
    if (head) guarded(() => checkHeader(head as Buffer));
    const bytes = head ?? chunk;
    head = null;
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + size);
      at += piece.length;
      guarded(() => decoder.push(piece, false));
      const made = out.reduce((sum, one) => sum + one.length, 0);
      size = made > STEEP * piece.length ? STEEP_PIECE_BYTES : PIECE_BYTES;
      yield* out.splice(0);
    }
  }
  guarded(() => {
    if (head) checkHeader(head);
    decoder.push(head ?? new Uint8Array(0), true);
  });
  yield* out.splice(0);
}

function guarded(step: () => void): void {
  try {
    step();
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { code: "ZSTD_BROKEN" });
  }
}

/** The first frame's header (RFC 8878, 3.1.1): a mark, flags, and how much of what came before it may refer to. */
function checkHeader(head: Buffer): void {
  if (head.length < 5 || head.readUInt32LE(0) !== 0xfd2fb528) {
    // A frame to be skipped begins otherwise; the decoder tells it from what is no frame.
    if (head.length < 5 && head.length > 0) throw new Error("unexpected EOF");
    return;
  }
  const flags = head[4] as number;
  const isSingleSegment = (flags & 0x20) !== 0;
  const exponent = 10 + ((head[5] ?? 0) >> 3);
  const window = 2 ** exponent * (1 + ((head[5] ?? 0) & 7) / 8);
  if (!isSingleSegment && window > MOST_WINDOW) throw new Error("it asks for more than 128 MiB of memory");
}
