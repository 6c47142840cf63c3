/** Collects lines of one run and origin, column by column, and makes a block of them. */
import type { ArchiveBlock, ArchiveSender } from "@/server/domain/archive";
import { nameHash, TokenSet } from "@/server/domain/token-filter";
import { ByteWriter } from "./byte-writer";
import { zstd, zstdLater } from "./zstd";

/** Version of the layout, its first byte. */
export const LAYOUT = 1;
export const MAX_BLOCK_LINES = 8192;
export const MAX_BLOCK_BYTES = 1024 * 1024;
/** Longest text of one line. */
export const MAX_TEXT_BYTES = 64 * 1024;

const BACKSLASH = 92;
const QUOTE = 34;
const LETTER_N = 110;
const SPACE = 32;
const DELETE = 127;
/** Stands between a password and its host. */
const AT_SIGN = 64;

/** A block whose lines are not compressed yet. */
export interface OpenBlock extends Omit<ArchiveBlock, "bytes"> {
  raw: Uint8Array;
}

export class BlockBuilder {
  private texts = Buffer.allocUnsafe(64 * 1024);
  private textEnd = 0;
  /** End of the text of the line that is being added. */
  private writtenTo = 0;
  private readonly ends: number[] = [];
  private readonly numbers: number[] = [];
  private readonly times: (number | null)[] = [];
  private readonly senderOf: number[] = [];
  private readonly formatOf: number[] = [];
  private readonly formats = new Map<string, number>();
  private readonly senders: ArchiveSender[] = [];
  private readonly senderIndex = new Map<ArchiveSender, number>();
  private readonly tokens = new TokenSet();

  get lines(): number {
    return this.ends.length;
  }

  get isFull(): boolean {
    return this.lines >= MAX_BLOCK_LINES || this.textEnd >= MAX_BLOCK_BYTES;
  }

  /** Adds a line by its text. `at` in whole epoch ms. A text past `MAX_TEXT_BYTES` must have been cut before. */
  add(line: number, at: number | null, sender: ArchiveSender, format: string | null, text: string): void {
    this.makeRoom(text.length * 3);
    this.writtenTo = this.textEnd + this.texts.write(text, this.textEnd);
    this.tokens.addBytes(this.texts, this.textEnd, this.writtenTo);
    this.end(line, at, sender, format);
  }

  /**
   * Writes the text of the next line from the inside of a JSON string, a newline at its end left out; `end` completes the line. False, and
   * nothing is written, for other escapes than quotes and backslashes, for what is not ASCII, and for tokens that `suspicious` wants looked at.
   */
  addEscaped(
    escaped: { bytes: Uint8Array; from: number; to: number },
    suspicious: (token: string) => boolean,
  ): boolean {
    this.makeRoom(escaped.to - escaped.from);
    const to = this.unescape(escaped);
    if (to < 0 || !this.tokens.addPlain(this.texts, this.textEnd, to, suspicious)) return false;
    this.writtenTo = to;
    return true;
  }

  /** Completes the line whose text was written last. */
  end(line: number, at: number | null, sender: ArchiveSender, format: string | null): void {
    this.textEnd = this.writtenTo;
    this.ends.push(this.textEnd);
    this.numbers.push(line);
    this.times.push(at);
    this.senderOf.push(this.indexOf(sender));
    this.formatOf.push(format === null ? 0 : this.formatIndex(format));
  }

  /** Where the text ends that was written at the end of the texts; -1 when it cannot be told from the bytes alone. */
  private unescape({ bytes, from, to }: { bytes: Uint8Array; from: number; to: number }): number {
    const texts = this.texts;
    let end = this.textEnd;
    for (let at = from; at < to; at++) {
      let byte = bytes[at] as number;
      if (byte === BACKSLASH) {
        byte = bytes[++at] as number;
        if (byte === LETTER_N && at === to - 1) return end;
        if (byte !== QUOTE && byte !== BACKSLASH) return -1;
      } else if (byte < SPACE || byte >= DELETE || byte === AT_SIGN) return -1;
      texts[end++] = byte;
    }
    return end;
  }

  private makeRoom(bytes: number): void {
    if (this.textEnd + bytes <= this.texts.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.texts.length * 2, this.textEnd + bytes));
    this.texts.copy(larger, 0, 0, this.textEnd);
    this.texts = larger;
  }

  /** Everything added so far as a block; then begins anew. There must be a line. */
  close(): OpenBlock {
    for (const sender of this.senders) this.addNames(sender);
    const [first] = this.senders as [ArchiveSender];
    const raw = this.encoded();
    const block: OpenBlock = {
      run: first.run,
      origin: first.origin,
      ...spanOf(this.numbers),
      lines: this.lines,
      ...timesOf(this.times),
      senders: [...this.senders],
      filter: this.tokens.filter(),
      raw,
      rawBytes: raw.length,
    };
    this.reset();
    return block;
  }

  private indexOf(sender: ArchiveSender): number {
    const known = this.senderIndex.get(sender);
    if (known !== undefined) return known;
    const [first] = this.senders;
    if (first && (first.run !== sender.run || first.origin !== sender.origin))
      throw new Error("a block is of one run and one origin");
    this.senderIndex.set(sender, this.senders.length);
    return this.senders.push(sender) - 1;
  }

  private formatIndex(format: string): number {
    const known = this.formats.get(format);
    if (known !== undefined) return known;
    this.formats.set(format, this.formats.size + 1);
    return this.formats.size;
  }

  /** Lines are found by who sent them as well. */
  private addNames({ stream, pod, podUid, sandbox, node, source, run }: ArchiveSender): void {
    this.tokens.add(nameHash(stream));
    for (const name of [pod, podUid, sandbox, node, source, run]) {
      if (name === null) continue;
      const bytes = Buffer.from(name);
      this.tokens.addBytes(bytes, 0, bytes.length);
    }
  }

  private encoded(): Uint8Array {
    const out = new ByteWriter(this.textEnd + this.lines * 8 + 64);
    out.varint(LAYOUT);
    out.varint(this.lines);
    out.varint(this.formats.size);
    for (const name of this.formats.keys()) {
      const bytes = Buffer.from(name);
      out.varint(bytes.length);
      out.raw(bytes);
    }
    writeNumbers(out, this.numbers);
    writeTimes(out, this.times);
    for (const sender of this.senderOf) out.varint(sender);
    for (const format of this.formatOf) out.varint(format);
    let from = 0;
    for (const end of this.ends) {
      out.varint(end - from);
      from = end;
    }
    out.raw(this.texts.subarray(0, this.textEnd));
    return out.done();
  }

  private reset(): void {
    for (const column of [this.ends, this.numbers, this.times, this.senderOf, this.formatOf, this.senders])
      column.length = 0;
    this.textEnd = 0;
    this.formats.clear();
    this.senderIndex.clear();
    this.tokens.clear();
  }
}

/** Each as the step from the one before. */
function writeNumbers(out: ByteWriter, numbers: readonly number[]): void {
  let before = 0;
  for (const number of numbers) {
    out.signed(number - before);
    before = number;
  }
}

/** 0 for none, else one more than the step from the last known. */
function writeTimes(out: ByteWriter, times: readonly (number | null)[]): void {
  let before = 0;
  for (const at of times) {
    if (at === null) {
      out.varint(0);
      continue;
    }
    const step = at - before;
    out.varint(step < 0 ? -step * 2 : step * 2 + 1);
    before = at;
  }
}

function spanOf(numbers: readonly number[]): Pick<ArchiveBlock, "firstLine" | "lastLine" | "present"> {
  let firstLine = Number.POSITIVE_INFINITY;
  let lastLine = 0;
  for (const number of numbers) {
    if (number < firstLine) firstLine = number;
    if (number > lastLine) lastLine = number;
  }
  const width = lastLine - firstLine + 1;
  const present = new Uint8Array(Math.ceil(width / 8));
  let distinct = 0;
  for (const number of numbers) {
    const bit = number - firstLine;
    const byte = present[bit >>> 3] as number;
    if ((byte & (1 << (bit & 7))) === 0) distinct++;
    present[bit >>> 3] = byte | (1 << (bit & 7));
  }
  return { firstLine, lastLine, present: distinct === width ? null : present };
}

function timesOf(times: readonly (number | null)[]): Pick<ArchiveBlock, "firstAt" | "lastAt"> {
  let firstAt: number | null = null;
  let lastAt: number | null = null;
  for (const at of times) {
    if (at === null) continue;
    if (firstAt === null || at < firstAt) firstAt = at;
    if (lastAt === null || at > lastAt) lastAt = at;
  }
  return { firstAt, lastAt };
}

/** Compresses the lines here and now. */
export function sealed({ raw, ...block }: OpenBlock): ArchiveBlock {
  return { ...block, bytes: zstd(raw) };
}

/** Compresses the lines on another thread. */
export async function sealedLater({ raw, ...block }: OpenBlock): Promise<ArchiveBlock> {
  return { ...block, bytes: await zstdLater(raw) };
}
