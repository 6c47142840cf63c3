/** Lines on their way into the archive: who sent them, redacted and cut, in blocks of one run and origin. */
import { BlockBuilder, type LineColumns, MAX_TEXT_BYTES, type OpenBlock } from "@/server/archive/block-builder";
import { withCut } from "@/server/archive/line-marks";
import type { ArchiveSender } from "@/server/domain/archive";
import { isSuspicious, redact } from "./redact";

/** Blocks being filled, a run each; past it the fullest is closed. */
const MOST_OPEN = 64;
/** Segments after which a block is closed though it is not full, so that a slow stream's lines can be found. */
const MOST_SEGMENTS = 8;
/** What is redacted together with the text that is kept, so that no secret is cut apart before it is known for one. */
const MARGIN = 4096;

/** The inside of a JSON string, as it stands in `bytes[from..to)`. */
export interface EscapedText {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/** A block being filled: lines of one run and origin. */
interface Filling {
  run: string | null;
  origin: string;
  builder: BlockBuilder;
  segments: number;
}

export class ArchiveLines {
  private fillings: Filling[] = [];

  /** `full` is given each block that has grown to its size. */
  constructor(private readonly full: (block: OpenBlock) => void) {}

  add(line: LineColumns, text: string): void {
    const filling = this.fillingOf(line.sender);
    const kept = keptText(text);
    filling.builder.add(kept.isCut ? { ...line, marks: withCut(line.marks) } : line, kept.text);
    if (filling.builder.isFull) this.close(filling);
  }

  /**
   * Writes the text of a plain line from its bytes; `end` completes the line. False, and nothing is written, when it has to
   * be looked at as text, since it may hold a secret or an odd escape.
   */
  addEscaped(text: EscapedText, sender: ArchiveSender): boolean {
    return text.to - text.from <= MAX_TEXT_BYTES && this.fillingOf(sender).builder.addEscaped(text, isSuspicious);
  }

  /** Completes the line that `addEscaped` wrote. */
  end(line: number, at: number | null, sender: ArchiveSender, format: string | null, marks: number): void {
    const filling = this.fillingOf(sender);
    filling.builder.end(line, at, sender, format, marks);
    if (filling.builder.isFull) this.close(filling);
  }

  /** Closes what has to be stored with the segment that ends here; at the `last` one everything. */
  segment(last: boolean): void {
    for (const filling of this.fillings) if (last || ++filling.segments >= MOST_SEGMENTS) this.close(filling);
    if (last) this.fillings = [];
  }

  private fillingOf({ run, origin }: ArchiveSender): Filling {
    for (const filling of this.fillings) if (filling.run === run && filling.origin === origin) return filling;
    if (this.fillings.length >= MOST_OPEN) this.closeFullest();
    const filling = { run, origin, builder: new BlockBuilder(), segments: 0 };
    this.fillings.push(filling);
    return filling;
  }

  private closeFullest(): void {
    const fullest = this.fillings.reduce((a, b) => (b.builder.lines > a.builder.lines ? b : a));
    this.close(fullest);
    this.fillings = this.fillings.filter((one) => one !== fullest);
  }

  private close(filling: Filling): void {
    filling.segments = 0;
    if (filling.builder.lines > 0) this.full(filling.builder.close());
  }
}

/** Redacted, and no longer than a line of a block may be. */
function keptText(text: string): { text: string; isCut: boolean } {
  const isLonger = text.length > MAX_TEXT_BYTES + MARGIN;
  const kept = redact(isLonger ? text.slice(0, MAX_TEXT_BYTES + MARGIN) : text);
  if (kept.length * 3 <= MAX_TEXT_BYTES) return { text: kept, isCut: isLonger };
  const bytes = Buffer.from(kept);
  if (bytes.length <= MAX_TEXT_BYTES) return { text: kept, isCut: isLonger };
  let end = MAX_TEXT_BYTES;
  // Not in the middle of a character.
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return { text: bytes.toString("utf8", 0, end), isCut: true };
}
