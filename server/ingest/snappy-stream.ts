/** Decodes Snappy as a stream: one raw block, as Vector and Loki's senders have it, or frames, as the OTel Collector's `x-snappy-framed`. */
import { Duplex } from "node:stream";
import { uncompress } from "snappyjs";
import { CoalmineError } from "@/server/domain/errors";

/** A raw block can only be decoded whole: the most bytes of it, packed and unpacked. A collector's request is far smaller. */
const MOST_BLOCK = 64 * 1024 * 1024;
/** How frames begin: a chunk of type 0xff with ten bytes that say so. */
const MARK = Buffer.from("\xff\x06\x00\x00sNaPpY", "latin1");
/** Unpacked bytes of one chunk, by the framing format. */
const MOST_CHUNK = 65_536;
const PACKED = 0x00;
const PLAIN = 0x01;
/** Chunks of a type below this and unknown must not be passed over. */
const SKIPPABLE = 0x80;

/** Fails with a code that begins with `SNAPPY_` when the bytes are not whole Snappy; `too_large` for a block over 64 MiB. */
export function snappyStream(): Duplex {
  return Duplex.from(decode);
}

async function* decode(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Buffer = Buffer.alloc(0);
  let isFramed: boolean | null = null;
  const block: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (isFramed === false) block.push(chunk);
    else held = Buffer.concat([held, chunk]);
    if (isFramed === null && held.length >= MARK.length) {
      isFramed = held.subarray(0, MARK.length).equals(MARK);
      if (!isFramed) block.push(held);
    }
    if (isFramed) held = yield* chunks(held);
    else if (bytes > MOST_BLOCK) throw tooLarge();
  }
  if (!isFramed) yield unpacked(Buffer.concat(isFramed === null ? [held] : block), MOST_BLOCK);
  else if (held.length > 0) throw broken("it ends within a chunk");
}

/** Yields what the whole chunks of `bytes` hold, and returns the rest. */
function* chunks(bytes: Buffer): Generator<Uint8Array, Buffer> {
  let rest = bytes;
  while (rest.length >= 4 && rest.length >= 4 + rest.readUIntLE(1, 3)) {
    const type = rest.readUInt8(0);
    const body = rest.subarray(4, 4 + rest.readUIntLE(1, 3));
    // The first four bytes are a checksum, which the connection has already.
    if (type === PACKED) yield unpacked(body.subarray(4), MOST_CHUNK);
    else if (type === PLAIN) yield body.subarray(4);
    else if (type < SKIPPABLE) throw broken(`chunks of type ${type} are unknown`);
    rest = rest.subarray(4 + body.length);
  }
  return rest;
}

function unpacked(block: Buffer, most: number): Uint8Array {
  if (block.length === 0) return block;
  try {
    return uncompress(block, most);
  } catch (error) {
    const said = error instanceof Error ? error.message : "cannot be read";
    throw said.includes("too big") && most === MOST_BLOCK ? tooLarge() : broken(said);
  }
}

function broken(why: string): Error {
  return Object.assign(new Error(why), { code: "SNAPPY_BROKEN" });
}

function tooLarge(): CoalmineError {
  return new CoalmineError("too_large", `body: more than ${MOST_BLOCK} bytes in one Snappy block. Send it in frames.`);
}
