/** Lines of the archive ↔ blocks. A block's layout: its version, counts, then one column after the other, all texts last. */
import type { ArchiveBlock, ArchiveLine, ArchiveSender } from "@/server/domain/archive";
import { CoalmineError } from "@/server/domain/errors";
import { BlockBuilder, LAYOUT, sealed } from "./block-builder";
import { ByteReader } from "./byte-writer";
import { packMarks, unpackMarks } from "./line-marks";
import { unzstd } from "./zstd";

/** A block's lines anew; all else of it stands. */
export type Recoded = Pick<ArchiveBlock, "bytes" | "rawBytes">;

/**
 * Makes a block of at least one line; the senders must be of one run and one origin, and those without a line are left out.
 * Throws `unavailable` where nothing can compress.
 */
export function encodeBlock(lines: readonly ArchiveLine[], senders: readonly ArchiveSender[]): ArchiveBlock {
  const builder = new BlockBuilder();
  for (const { line, at, sender, format, text, ...marks } of lines) {
    const who = senders[sender];
    if (!who) throw new RangeError(`there is no sender ${sender}`);
    builder.add({ line, at, sender: who, format, marks: packMarks(marks) }, text);
  }
  return sealed(builder.close());
}

/**
 * The lines of a block, as they were added. With a `probe` (global, ASCII only, no white space, nothing about what stands beside
 * it), lines that it is not in have an empty text: most need not be made. Throws `internal` when the bytes are not a block.
 */
export function decodeBlock(bytes: Uint8Array, probe: RegExp | null = null): ArchiveLine[] {
  try {
    return linesIn(new ByteReader(unzstd(bytes)), probe);
  } catch (error) {
    throw new CoalmineError("internal", "A block of raw lines cannot be read.", { cause: error });
  }
}

function linesIn(reader: ByteReader, probe: RegExp | null): ArchiveLine[] {
  const layout = reader.varint();
  if (layout < 1 || layout > LAYOUT) throw new RangeError("an unknown layout");
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
  const marks = layout === 1 ? [] : times(count, () => reader.varint());
  const lengths = times(count, () => reader.varint());
  const texts = reader.raw(lengths.reduce((sum, length) => sum + length, 0));
  const wanted = probe && linesWith(probe, texts, lengths);
  let end = 0;
  return numbers.map((number, i) => {
    const from = end;
    end += lengths[i] as number;
    const isWanted = wanted === null || wanted[i] === 1;
    return {
      line: number,
      at: ats[i] ?? null,
      sender: senders[i] as number,
      format: formats[(formatOf[i] as number) - 1] ?? null,
      text: isWanted ? asText(texts.subarray(from, end), "utf8") : "",
      ...unpackMarks(marks[i] ?? 0),
    };
  });
}

/** The same lines with other words about what read them; undefined: as before. */
export function withFormats(lines: readonly ArchiveLine[], formats: readonly (string | null | undefined)[]): Recoded {
  const builder = new BlockBuilder();
  const senders = new Map<number, ArchiveSender>();
  for (const [i, { line, at, sender, text, format, ...marks }] of lines.entries()) {
    const now = formats[i];
    const who = senders.get(sender) ?? placeholder(sender);
    senders.set(sender, who);
    const columns = { line, at, sender: who, format: now === undefined ? format : now, marks: packMarks(marks) };
    builder.add(columns, text);
  }
  const { bytes, rawBytes } = sealed(builder.close());
  return { bytes, rawBytes };
}

/** Stands for the sender of this number: the list of a block's senders is in the order of their streams. */
function placeholder(sender: number): ArchiveSender {
  const nobody = { run: null, node: null, pod: null, podUid: null, sandbox: null, container: null };
  return { stream: String(sender).padStart(9, "0"), source: "", ...nobody, cluster: "", origin: "fleet" };
}

/** 1 for each line that the probe is in, 0 for the others. All texts are looked through as one, a byte a character. */
function linesWith(probe: RegExp, texts: Uint8Array, lengths: readonly number[]): Uint8Array {
  const wanted = new Uint8Array(lengths.length);
  const whole = asText(texts, "latin1");
  let line = -1;
  let end = 0;
  probe.lastIndex = 0;
  for (let found = probe.exec(whole); found !== null; found = probe.exec(whole)) {
    while (end <= found.index) end += lengths[++line] as number;
    wanted[line] = 1;
    // From the next line on: what begins in this one and ends there must not hide what is there.
    probe.lastIndex = end;
  }
  return wanted;
}

function times<T>(count: number, read: () => T): T[] {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(read());
  return all;
}

function textOf(reader: ByteReader, length: number): string {
  return asText(reader.raw(length), "utf8");
}

function asText({ buffer, byteOffset, byteLength }: Uint8Array, encoding: "utf8" | "latin1"): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString(encoding);
}
