/** Lines on their way into the archive: who sent them, redacted and cut, in blocks of one run and origin. */
import { BlockBuilder, MAX_TEXT_BYTES, type OpenBlock } from "@/server/archive/block-builder";
import type { ArchiveSender } from "@/server/domain/archive";
import { isSuspicious, redact } from "./redact";

/** Blocks being filled; past it the one begun first is closed. */
const MOST_OPEN = 16;
/** Segments after which a block is closed though it is not full, so that a slow stream's lines can be found. */
const MOST_SEGMENTS = 8;
/** What is redacted together with the text that is kept, so that no secret is cut apart before it is known for one. */
const MARGIN = 4096;

export interface LineToKeep {
  line: number;
  /** Epoch ms. */
  at: number | null;
  sender: ArchiveSender;
  /** The format that read it; null when none did. */
  format: string | null;
}

/** The inside of a JSON string, as it stands in `bytes[from..to)`. */
export interface EscapedText {
  bytes: Uint8Array;
  from: number;
  to: number;
}

interface Filling {
  builder: BlockBuilder;
  segments: number;
}

export class ArchiveLines {
  private readonly filling = new Map<string, Filling>();
  /** The one of the line before, which most often is that of the next. */
  private latest: { run: string | null; origin: string; filling: Filling } | null = null;

  /** `full` is given each block that has grown to its size. */
  constructor(private readonly full: (block: OpenBlock) => void) {}

  add({ line, at, sender, format }: LineToKeep, text: string): void {
    const { builder } = this.fillingOf(sender);
    builder.add(line, at, sender, format, keptText(text));
    if (builder.isFull) this.close(sender);
  }

  /** Adds a plain line from its bytes; false when it has to be looked at as text, since it may hold a secret or an odd escape. */
  addEscaped(line: number, at: number | null, sender: ArchiveSender, format: string, text: EscapedText): boolean {
    const { builder } = this.fillingOf(sender);
    if (text.to - text.from > MAX_TEXT_BYTES || !builder.addEscaped(text, isSuspicious)) return false;
    builder.end(line, at, sender, format);
    if (builder.isFull) this.close(sender);
    return true;
  }

  /** Closes what has to be stored with the segment that ends here; at the `last` one everything. */
  segment(last: boolean): void {
    for (const [key, filling] of [...this.filling]) {
      if (last) this.forget(key);
      else if (++filling.segments >= MOST_SEGMENTS) this.closeKey(key);
    }
  }

  private fillingOf({ run, origin }: ArchiveSender): Filling {
    const latest = this.latest;
    if (latest && latest.run === run && latest.origin === origin) return latest.filling;
    const key = keyOf(run, origin);
    let filling = this.filling.get(key);
    if (!filling) {
      if (this.filling.size >= MOST_OPEN) this.forget(this.filling.keys().next().value as string);
      filling = { builder: new BlockBuilder(), segments: 0 };
      this.filling.set(key, filling);
    }
    this.latest = { run, origin, filling };
    return filling;
  }

  private forget(key: string): void {
    this.closeKey(key);
    this.filling.delete(key);
    this.latest = null;
  }

  private close({ run, origin }: ArchiveSender): void {
    this.closeKey(keyOf(run, origin));
  }

  private closeKey(key: string): void {
    const filling = this.filling.get(key);
    if (!filling) return;
    filling.segments = 0;
    if (filling.builder.lines > 0) this.full(filling.builder.close());
  }
}

function keyOf(run: string | null, origin: string): string {
  return run === null ? origin : `${origin} ${run}`;
}

/** Redacted, and no longer than a line of a block may be. */
function keptText(text: string): string {
  const kept = redact(text.length > MAX_TEXT_BYTES + MARGIN ? text.slice(0, MAX_TEXT_BYTES + MARGIN) : text);
  if (kept.length * 3 <= MAX_TEXT_BYTES) return kept;
  const bytes = Buffer.from(kept);
  if (bytes.length <= MAX_TEXT_BYTES) return kept;
  let end = MAX_TEXT_BYTES;
  // Not in the middle of a character.
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
