/** Decodes Zstandard as a stream where Node.js cannot: frames one after the other, as `zstd` and `pzstd` write them. */
import { Transform } from "node:stream";
import { Decompress } from "fzstd";

/** Bytes of memory that a body may ask for, as Node.js' own decoder has it; `zstd -19` asks for 8 MiB. */
const MOST_WINDOW = 128 * 1024 * 1024;
/** Longest header of a frame. */
const HEADER_BYTES = 18;

/** Fails with a code that begins with `ZSTD_` when the bytes are not whole Zstandard, or ask for too much memory. */
export function zstdStream(): Transform {
  let head: Buffer | null = Buffer.alloc(0);
  let output: (bytes: Uint8Array) => void = () => undefined;
  const decoder = new Decompress((bytes) => output(bytes));
  const push = (bytes: Uint8Array, last: boolean) => {
    try {
      if (head) {
        head = Buffer.concat([head, bytes]);
        if (head.length < HEADER_BYTES && !last) return null;
        checkHeader(head);
      }
      const next = head ?? bytes;
      head = null;
      decoder.push(next, last);
      return null;
    } catch (error) {
      return Object.assign(error instanceof Error ? error : new Error(String(error)), { code: "ZSTD_BROKEN" });
    }
  };
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      output = (bytes) => this.push(bytes);
      done(push(chunk, false));
    },
    flush(done) {
      output = (bytes) => this.push(bytes);
      done(push(new Uint8Array(0), true));
    },
  });
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
