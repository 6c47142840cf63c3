/** Bytes → numbered lines, over a stream of chunks of any size. Holds at most one unfinished line, never longer than the bound. */
import { isUtf8 } from "node:buffer";

/** A longer line (bytes) is rejected without ever being held whole. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Longest piece looked at in one go: bounds what is decoded at once, whatever the sender's chunks are. */
const STEP_BYTES = 256 * 1024;
const SAMPLE_BYTES = 500;
const NEWLINE = 10;

export type Skim = (bytes: Buffer, from: number, to: number, number: number) => boolean;

export interface LineHandler {
  /** Asked for each whole line before it is decoded: true when the handler has read it from its bytes. Null: do not ask now. */
  skim?(): Skim | null;
  /** `number` is 1-based; `terminated` is false for a last line without its newline, which may be cut off. */
  line(text: string, number: number, terminated: boolean): void;
  bad(number: number, code: "too_large" | "invalid_utf8", message: string, sample: string): void;
}

export class LineSplitter {
  private carry: Buffer[] = [];
  private carryBytes = 0;
  private skipping = false;
  private next = 1;
  private begun = false;

  /** `maxLineBytes` bounds one line; longer ones are given as `bad`. */
  constructor(
    private readonly handler: LineHandler,
    private readonly maxLineBytes = MAX_LINE_BYTES,
  ) {}

  /** Takes one chunk; calls the handler for each line that it ends. The chunk may be reused after the next call. */
  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    // A step is never longer than a legal line, so only a carried line can be too long.
    const step = Math.min(STEP_BYTES, this.maxLineBytes);
    for (let at = 0; at < bytes.length; at += step) this.step(bytes.subarray(at, at + step));
  }

  /** The body is over: a line without newline is given as unterminated. */
  end(): void {
    if (this.carryBytes === 0 || this.skipping) return;
    const whole = this.takeCarry();
    this.one(whole, false);
  }

  private step(bytes: Buffer): void {
    let from = 0;
    if (this.carryBytes > 0 || this.skipping) {
      const end = bytes.indexOf(NEWLINE);
      if (end < 0) {
        this.keep(bytes);
        return;
      }
      this.finishCarried(bytes.subarray(0, end));
      from = end + 1;
    }
    const last = bytes.lastIndexOf(NEWLINE);
    if (last >= from) this.many(bytes.subarray(from, last));
    if (last + 1 < bytes.length) this.keep(bytes.subarray(Math.max(from, last + 1)));
  }

  private finishCarried(rest: Buffer): void {
    if (this.skipping) {
      this.skipping = false;
      this.carryBytes = 0;
      this.next++;
      return;
    }
    if (this.carryBytes + rest.length > this.maxLineBytes) {
      this.rejectCarry();
      this.skipping = false;
      this.next++;
      return;
    }
    this.carry.push(rest);
    this.one(this.takeCarry(), true);
  }

  private keep(bytes: Buffer): void {
    if (this.skipping || bytes.length === 0) return;
    // A copy: the caller's chunk may be a view of memory that is used again.
    this.carry.push(Buffer.from(bytes));
    this.carryBytes += bytes.length;
    if (this.carryBytes > this.maxLineBytes) this.rejectCarry();
  }

  private rejectCarry(): void {
    const sample = Buffer.concat(this.carry).subarray(0, SAMPLE_BYTES).toString("utf8");
    this.carry = [];
    this.carryBytes = 0;
    this.skipping = true;
    const limit = `${Math.floor(this.maxLineBytes / 1024)} KiB`;
    this.handler.bad(this.next, "too_large", `the line is longer than ${limit}`, sample);
  }

  private takeCarry(): Buffer {
    const whole = this.carry.length === 1 && this.carry[0] ? this.carry[0] : Buffer.concat(this.carry);
    this.carry = [];
    this.carryBytes = 0;
    return whole;
  }

  /** Whole lines without the last newline, decoded together: one decoding is far cheaper than one a line. */
  private many(bytes: Buffer): void {
    const skim = this.handler.skim?.();
    if (skim) {
      this.skimmed(bytes, skim);
      return;
    }
    const text = bytes.toString("utf8");
    if (text.includes("\uFFFD") && !isUtf8(bytes)) {
      this.oneByOne(bytes);
      return;
    }
    let from = 0;
    for (;;) {
      const end = text.indexOf("\n", from);
      if (end < 0) break;
      this.give(text.slice(from, end), true);
      from = end + 1;
    }
    this.give(from === 0 ? text : text.slice(from), true);
  }

  private oneByOne(bytes: Buffer): void {
    this.skimmed(bytes, () => false);
  }

  private skimmed(bytes: Buffer, skim: Skim): void {
    for (let from = 0; ; ) {
      const newline = bytes.indexOf(NEWLINE, from);
      const end = newline < 0 ? bytes.length : newline;
      if (skim(bytes, from, end, this.next)) {
        this.begun = true;
        this.next++;
      } else {
        this.one(bytes.subarray(from, end), true);
      }
      if (newline < 0) return;
      from = newline + 1;
    }
  }

  private one(bytes: Buffer, terminated: boolean): void {
    if (!isUtf8(bytes)) {
      const sample = bytes.subarray(0, SAMPLE_BYTES).toString("utf8");
      this.handler.bad(this.next++, "invalid_utf8", "the line is not UTF-8 text", sample);
      return;
    }
    this.give(bytes.toString("utf8"), terminated);
  }

  private give(text: string, terminated: boolean): void {
    let line = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (!this.begun) {
      this.begun = true;
      if (line.startsWith("\uFEFF")) line = line.slice(1);
    }
    this.handler.line(line, this.next++, terminated);
  }
}
