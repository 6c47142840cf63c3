/** Bodies as collectors compress them → plain, bounded. The names are those of the OTel Collector, which has the most. */
import { type Duplex, Readable } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { CoalmineError } from "@/server/domain/errors";
import { snappyStream } from "@/server/ingest/snappy-stream";
import { zstdStream } from "@/server/ingest/zstd-stream";

type Decode = (body: Buffer, most: number) => Promise<Buffer>;

const DECODERS: Record<string, Decode> = {
  gzip: (body, most) => promisify(zlib.gunzip)(body, { maxOutputLength: most }),
  deflate: (body, most) => promisify(zlib.inflate)(body, { maxOutputLength: most }),
  zlib: (body, most) => promisify(zlib.inflate)(body, { maxOutputLength: most }),
  br: (body, most) => promisify(zlib.brotliDecompress)(body, { maxOutputLength: most }),
  zstd: through(zstdStream),
  snappy: through(snappyStream),
  "x-snappy-framed": through(snappyStream),
};

/** `most`: bytes that it may grow into. Throws `unsupported` for another encoding, `invalid` for a broken body, `too_large`. */
export async function unpack(body: Buffer, encoding: string | null, most: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return body;
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!decode) {
    const known = Object.keys(DECODERS).join(", ");
    throw new CoalmineError("unsupported", `Content-Encoding: ${name} is not one of ${known}, identity`);
  }
  try {
    return await decode(body, most);
  } catch (error) {
    if (error instanceof CoalmineError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(most);
    throw new CoalmineError("invalid", `broken ${name}: ${error instanceof Error ? error.message : "cannot be read"}`);
  }
}

function through(stream: () => Duplex): Decode {
  return async (body, most) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of Readable.from([body]).pipe(stream()) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > most) throw tooLarge(most);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
}

function tooLarge(most: number): CoalmineError {
  return new CoalmineError("too_large", `body: more than ${most} bytes when unpacked`);
}
