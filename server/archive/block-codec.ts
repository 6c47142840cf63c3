/** Lines of the archive ↔ blocks. A block's layout: its version, counts, then one column after the other, all texts last. */
import type { ArchiveBlock, ArchiveLine, ArchiveSender } from "@/server/domain/archive";
import { CoalmineError } from "@/server/domain/errors";
import { BlockBuilder, LAYOUT, sealed } from "./block-builder";
import { ByteReader } from "./byte-writer";
import { unzstd } from "./zstd";

/**
 * Makes a block of at least one line; the senders must be of one run and one origin, and those without a line are left out.
 * Throws `unavailable` where nothing can compress.
 */
export function encodeBlock(lines: readonly ArchiveLine[], senders: readonly ArchiveSender[]): ArchiveBlock {
  const builder = new BlockBuilder();
  for (const { line, at, sender, format, text } of lines) {
    const who = senders[sender];
    if (!who) throw new RangeError(`there is no sender ${sender}`);
    builder.add(line, at, who, format, text);
  }
  return sealed(builder.close());
}

/** The lines of a block, as they were added. Throws `internal` when the bytes are not a block. */
export function decodeBlock(bytes: Uint8Array): ArchiveLine[] {
  try {
    return linesIn(new ByteReader(unzstd(bytes)));
  } catch (error) {
    throw new CoalmineError("internal", "A block of raw lines cannot be read.", { cause: error });
  }
}

function linesIn(reader: ByteReader): ArchiveLine[] {
  if (reader.varint() !== LAYOUT) throw new RangeError("an unknown layout");
  const count = reader.varint();
  const formats = times(reader.varint(), () => textOf(reader, reader.varint()));
  let line = 0;
  const numbers = times(count, () => (line += reader.signed()));
  let last = 0;
  const ats = times(count, () => {
    const step = reader.varint();
    if (step === 0) return null;
    last += step % 2 === 1 ? (step - 1) / 2 : -step / 2;
    return last;
  });
  const senders = times(count, () => reader.varint());
  const formatOf = times(count, () => reader.varint());
  const lengths = times(count, () => reader.varint());
  return numbers.map((number, i) => ({
    line: number,
    at: ats[i] ?? null,
    sender: senders[i] as number,
    format: formats[(formatOf[i] as number) - 1] ?? null,
    text: textOf(reader, lengths[i] as number),
  }));
}

function times<T>(count: number, read: () => T): T[] {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(read());
  return all;
}

function textOf(reader: ByteReader, length: number): string {
  const bytes = reader.raw(length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
