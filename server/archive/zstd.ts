/** zstd: the native package, or Node.js' own where it has it (22.15 and later); unpacking works everywhere. */
import { createRequire } from "node:module";
import * as zlib from "node:zlib";
import { decompress } from "fzstd";
import { CoalmineError } from "@/server/domain/errors";

/** Of lines without their envelope the next ones save nothing, and those far higher cost several times as much. */
const LEVEL = 1;

interface Native {
  Encoder: new (level: number) => { encode(data: Buffer): Promise<Buffer>; encodeSync(data: Buffer): Buffer };
  Decoder: new () => { decodeSync(data: Buffer): Buffer };
}
type Pack = (data: Uint8Array) => Buffer;
type PackLater = (data: Uint8Array, done: (error: Error | null, packed: Buffer) => void) => void;
const own = zlib as unknown as { zstdCompressSync?: Pack; zstdCompress?: PackLater; zstdDecompressSync?: Pack };

let loaded: Native | null | undefined;

function native(): Native | null {
  if (loaded !== undefined) return loaded;
  try {
    loaded = createRequire(import.meta.url)("@toondepauw/node-zstd") as Native;
  } catch {
    // There is no binary for this machine.
    loaded = null;
  }
  return loaded;
}

/** Throws `unavailable` where nothing can compress. */
export function zstd(bytes: Uint8Array): Uint8Array {
  const found = native();
  if (found) return new found.Encoder(LEVEL).encodeSync(asBuffer(bytes));
  if (own.zstdCompressSync) return own.zstdCompressSync(bytes);
  throw missing();
}

/** Compresses on another thread; `bytes` must not change meanwhile. Rejects with `unavailable` where nothing can compress. */
export function zstdLater(bytes: Uint8Array): Promise<Uint8Array> {
  const found = native();
  if (found) return new found.Encoder(LEVEL).encode(asBuffer(bytes));
  const { zstdCompress } = own;
  if (!zstdCompress) return Promise.reject(missing());
  return new Promise((resolve, reject) => {
    zstdCompress(bytes, (error, packed) => (error ? reject(error) : resolve(packed)));
  });
}

/** Throws when the bytes are not whole zstd. */
export function unzstd(bytes: Uint8Array): Uint8Array {
  const found = native();
  if (found) return new found.Decoder().decodeSync(asBuffer(bytes));
  return own.zstdDecompressSync ? own.zstdDecompressSync(bytes) : decompress(bytes);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function missing(): CoalmineError {
  const hint = "install @toondepauw/node-zstd for this platform, or run Node.js 22.15 or newer";
  return new CoalmineError("unavailable", `Raw lines cannot be compressed here: ${hint}.`);
}
