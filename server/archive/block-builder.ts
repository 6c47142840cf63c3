/** Collects lines of one run and origin, column by column, and makes a block of them. */
import type { ArchiveBlock, ArchiveSender } from "@/server/domain/archive";
import { ByteWriter } from "./byte-writer";
import { Columns } from "./columns";
import { SenderList } from "./sender-list";
import { TokenSet } from "./token-set";
import { zstd, zstdLater } from "./zstd";

/** Version of the layout, its first byte. The first had no marks. */
export const LAYOUT = 2;
export const MAX_BLOCK_LINES = 8192;
export const MAX_BLOCK_BYTES = 1024 * 1024;
/** Longest text of one line. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** A line but for its text. */
export interface LineColumns {
  line: number;
  /** Whole epoch ms. */
  at: number | null;
  sender: ArchiveSender;
  format: string | null;
  /** As `packMarks` makes them. */
  marks: number;
}

/** A block whose lines are not compressed yet. */
export interface OpenBlock extends Omit<ArchiveBlock, "bytes"> {
  raw: Uint8Array;
}

export class BlockBuilder {
  private texts = Buffer.allocUnsafe(16 * 1024);
  private textEnd = 0;
  /** End of the text of the line that is being added. */
  private writtenTo = 0;
  private columns = new Columns(256);
  lines = 0;
  private readonly formats = new Map<string, number>();
  private readonly senders = new SenderList();
  private readonly tokens = new TokenSet();

  get isFull(): boolean {
    return this.lines >= MAX_BLOCK_LINES || this.textEnd >= MAX_BLOCK_BYTES;
  }

  /** Adds a line by its text, which must be cut to `MAX_TEXT_BYTES`. */
  add({ line, at, sender, format, marks }: LineColumns, text: string): void {
    this.makeRoom(text.length * 3);
    this.writtenTo = this.textEnd + this.texts.write(text, this.textEnd);
    this.tokens.addBytes(this.texts, this.textEnd, this.writtenTo);
    this.end(line, at, sender, format, marks);
  }

  /**
   * Writes the text of the next line from the inside of a JSON string, a newline at its end left out; `end` completes the line. False, and
   * nothing is written, for other escapes than quotes and backslashes, for what is not ASCII, and for tokens that `suspicious` wants looked at.
   */
  addEscaped(
    escaped: { bytes: Uint8Array; from: number; to: number },
    suspicious: (token: string) => boolean,
  ): boolean {
    const { bytes, from, to } = escaped;
    this.makeRoom(to - from);
    const end = this.tokens.addEscaped(bytes, from, to, this.texts, this.textEnd, suspicious);
    if (end < 0) return false;
    this.writtenTo = end;
    return true;
  }

  /** Completes the line whose text was written last. One by one: an object a line would be most of a delivery's garbage. */
  end(line: number, at: number | null, sender: ArchiveSender, format: string | null, marks: number): void {
    this.textEnd = this.writtenTo;
    if (this.lines === this.columns.size) this.columns = this.columns.doubled();
    const { columns, lines } = this;
    columns.ends[lines] = this.textEnd;
    columns.numbers[lines] = line;
    columns.setTime(lines, at);
    columns.senders[lines] = this.senders.indexOf(sender);
    columns.formats[lines] = format === null ? 0 : this.formatIndex(format);
    columns.marks[lines] = marks;
    this.lines++;
  }

  private makeRoom(bytes: number): void {
    if (this.textEnd + bytes <= this.texts.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.texts.length * 2, this.textEnd + bytes));
    this.texts.copy(larger, 0, 0, this.textEnd);
    this.texts = larger;
  }

  /** Everything added so far as a block; then begins anew. There must be a line. */
  close(): OpenBlock {
    this.senders.addNames(this.tokens);
    const { senders, place } = this.senders.close();
    const [first] = senders as [ArchiveSender];
    const raw = this.encoded(place);
    const block: OpenBlock = {
      run: first.run,
      origin: first.origin,
      ...this.columns.linesOf(this.lines),
      lines: this.lines,
      ...this.columns.timesOf(this.lines),
      senders,
      filter: this.tokens.filter(),
      raw,
      rawBytes: raw.length,
    };
    this.lines = 0;
    this.textEnd = 0;
    this.formats.clear();
    this.tokens.clear();
    return block;
  }

  private formatIndex(format: string): number {
    const known = this.formats.get(format);
    if (known !== undefined) return known;
    this.formats.set(format, this.formats.size + 1);
    return this.formats.size;
  }

  private encoded(place: Uint32Array): Uint8Array {
    const out = new ByteWriter(this.textEnd + this.lines * 8 + 64);
    out.varint(LAYOUT);
    out.varint(this.lines);
    out.varint(this.formats.size);
    for (const name of this.formats.keys()) {
      const bytes = Buffer.from(name);
      out.varint(bytes.length);
      out.raw(bytes);
    }
    this.columns.write(out, this.lines, place);
    out.raw(this.texts.subarray(0, this.textEnd));
    return out.done();
  }
}

/** Compresses the lines here and now. */
export function sealed({ raw, ...block }: OpenBlock): ArchiveBlock {
  return { ...block, bytes: zstd(raw) };
}

/** Compresses the lines on another thread. */
export async function sealedLater({ raw, ...block }: OpenBlock): Promise<ArchiveBlock> {
  return { ...block, bytes: await zstdLater(raw) };
}
