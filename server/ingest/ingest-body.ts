/** The delivered bytes, decoded as a stream, with bounds on size and on how much a small body may grow into. */
import { type Duplex, pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";
import { CoalmineError } from "@/server/domain/errors";
import { snappyStream } from "./snappy-stream";
import { zstdStream } from "./zstd-stream";

export interface BodyLimits {
  /** Decoded bytes of one delivery. */
  maxBytes: number;
  /** Decoded bytes per sent byte, looked at past `RATIO_FROM` decoded bytes. */
  maxRatio: number;
}

/** Logs of one repeated line pack about 1 : 200 in gzip; the format's own limit is about 1 : 1030. */
export const BODY_LIMITS: BodyLimits = { maxBytes: 64 * 1024 ** 3, maxRatio: 500 };
const ZSTD_MARK = 0xfd2fb528;
const RATIO_FROM = 64 * 1024 * 1024;

type Decoder = () => Duplex;

/** Zstandard came to Node.js with 22.15; before that it is decoded by a package. */
const zstd: Decoder = (zlib as { createZstdDecompress?: Decoder }).createZstdDecompress ?? zstdStream;

const DECODERS: Record<string, Decoder | undefined> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  zlib: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  zstd,
  snappy: snappyStream,
  "x-snappy-framed": snappyStream,
};

/** Names for `Content-Encoding` that this process can decode. */
export const ENCODINGS: readonly string[] = ["identity", ...Object.keys(DECODERS).filter((name) => name !== "x-gzip")];

/**
 * Yields decoded chunks. A body without encoding that begins with the mark of gzip or zstd is decoded too: files are often sent as they lie.
 * Throws `unsupported` for an unknown encoding, `invalid` for a broken stream, `too_large` past a limit.
 */
export async function* decodeBody(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | null,
  limits: BodyLimits = BODY_LIMITS,
): AsyncGenerator<Uint8Array> {
  const name = (encoding ?? "identity").trim().toLowerCase() || "identity";
  const decoder = DECODERS[name];
  if (name !== "identity" && !decoder) {
    throw new CoalmineError(
      "unsupported",
      `Content-Encoding "${name}" is not supported; use one of: ${ENCODINGS.join(", ")}.`,
    );
  }
  const sent = { bytes: 0 };
  const source = counted(chunks, sent);
  const bytes = decoder ? decoded(source, name, decoder) : sniffed(source);
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    checkLimits(total, sent.bytes, limits);
    if (chunk.length > 0) yield chunk;
  }
}

/** Throws `too_large` when `total` decoded bytes out of `sent` are more than the limits allow. */
export function checkLimits(total: number, sent: number, { maxBytes, maxRatio }: BodyLimits): void {
  if (total > maxBytes) {
    const limit = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
    throw new CoalmineError("too_large", `The decoded body is larger than ${limit}.`);
  }
  if (total > RATIO_FROM && total > sent * maxRatio) {
    throw new CoalmineError("too_large", `The body unpacks to more than ${maxRatio} times its size and was refused.`);
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>, sent: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    sent.bytes += chunk.length;
    yield chunk;
  }
}

/** Looks at the first four bytes before deciding. */
async function* sniffed(source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  for (;;) {
    const next = await source.next();
    if (!next.done) head = Buffer.concat([head, next.value]);
    if (head.length >= 4 || next.done) break;
  }
  const rest = prepend(head, source);
  if (head[0] === 0x1f && head[1] === 0x8b) yield* decoded(rest, "gzip", () => zlib.createGunzip());
  else if (head.length >= 4 && head.readUInt32LE(0) === ZSTD_MARK) yield* decoded(rest, "zstd", zstd);
  else yield* rest;
}

async function* prepend(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* decoded(source: AsyncIterable<Uint8Array>, name: string, decoder: Decoder): AsyncGenerator<Uint8Array> {
  // pipeline tears both down when either fails; the error itself comes out of the loop below.
  const output = pipeline(Readable.from(source, { objectMode: true }), decoder(), () => {});
  try {
    for await (const chunk of output) yield chunk as Uint8Array;
  } catch (error) {
    if (isCodecError(error)) throw new CoalmineError("invalid", `broken ${name}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    output.destroy();
  }
}

function isCodecError(error: unknown): error is Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(?:Z_|ZSTD_|SNAPPY_|ERR_(?:_?ERROR|BROTLI|PADDING|ZSTD)|ERR__)/.test(code);
}
