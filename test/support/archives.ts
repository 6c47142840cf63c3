/** Archives made in memory, as their tools write them. */
import { buffer } from "node:stream/consumers";
import { deflateRawSync, gzipSync } from "node:zlib";
import { pack } from "tar-stream";

export type Files = Record<string, string | Uint8Array>;

export async function tarOf(files: Files): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, Buffer.from(content as string));
  archive.finalize();
  return buffer(archive);
}

export const tarGzOf = async (files: Files): Promise<Buffer> => gzipSync(await tarOf(files));

const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END = 0x06054b50;

/** A zip with deflated entries; `flags` 1 marks them as encrypted, `method` 8 is deflate. */
export function zipOf(files: Files, { flags = 0, method = 8 } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content as string);
    const packed = method === 8 ? deflateRawSync(plain) : plain;
    const label = Buffer.from(name);
    const common = fields(
      [flags, 2],
      [method, 2],
      [0, 4],
      [crcOf(plain), 4],
      [packed.length, 4],
      [plain.length, 4],
      [label.length, 2],
      [0, 2],
    );
    const head = Buffer.concat([fields([LOCAL, 4], [20, 2]), common, label, packed]);
    directory.push(
      fields([CENTRAL, 4], [20, 2], [20, 2]),
      common,
      fields([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
      label,
    );
    parts.push(head);
    offset += head.length;
  }
  const list = Buffer.concat(directory);
  const count = Object.keys(files).length;
  return Buffer.concat([
    ...parts,
    list,
    fields([END, 4], [0, 4], [count, 2], [count, 2], [list.length, 4], [offset, 4], [0, 2]),
  ]);
}

/** Little-endian numbers of 2 or 4 bytes. */
function fields(...values: [value: number, bytes: number][]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

function crcOf(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 255] ?? 0);
  return ~crc >>> 0;
}
