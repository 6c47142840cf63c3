/** What a block being filled knows of its lines besides their texts: one typed column each, since millions of lines go through them. */
import type { ArchiveBlock } from "@/server/domain/archive";
import type { ByteWriter } from "./byte-writer";

/** In place of a time. */
const NO_TIME = Number.NaN;

export class Columns {
  /** Where each text ends among the texts. */
  readonly ends: Uint32Array;
  readonly numbers: Float64Array;
  readonly times: Float64Array;
  readonly senders: Uint32Array;
  /** 0 for none. */
  readonly formats: Uint8Array;
  /** As `packMarks` makes them. */
  readonly marks: Float64Array;

  constructor(readonly size: number) {
    this.ends = new Uint32Array(size);
    this.numbers = new Float64Array(size);
    this.times = new Float64Array(size);
    this.senders = new Uint32Array(size);
    this.formats = new Uint8Array(size);
    this.marks = new Float64Array(size);
  }

  doubled(): Columns {
    const larger = new Columns(this.size * 2);
    larger.ends.set(this.ends);
    larger.numbers.set(this.numbers);
    larger.times.set(this.times);
    larger.senders.set(this.senders);
    larger.formats.set(this.formats);
    larger.marks.set(this.marks);
    return larger;
  }

  setTime(i: number, at: number | null): void {
    this.times[i] = at === null ? NO_TIME : at;
  }

  /** All but the texts of the first `count` lines; `place[i]` is where sender i stands in the block's list. */
  write(out: ByteWriter, count: number, place: Uint32Array): void {
    this.writeNumbers(out, count);
    this.writeTimes(out, count);
    for (let i = 0; i < count; i++) out.varint(place[this.senders[i] as number] as number);
    for (let i = 0; i < count; i++) out.varint(this.formats[i] as number);
    for (let i = 0; i < count; i++) out.varint(this.marks[i] as number);
    for (let i = 0, from = 0; i < count; i++) {
      const end = this.ends[i] as number;
      out.varint(end - from);
      from = end;
    }
  }

  /** Each as the step from the one before. */
  private writeNumbers(out: ByteWriter, count: number): void {
    for (let i = 0, before = 0; i < count; i++) {
      const number = this.numbers[i] as number;
      out.signed(number - before);
      before = number;
    }
  }

  /** 0 for none, else one more than the step from the last known. */
  private writeTimes(out: ByteWriter, count: number): void {
    for (let i = 0, before = 0; i < count; i++) {
      const at = this.times[i] as number;
      if (Number.isNaN(at)) {
        out.varint(0);
        continue;
      }
      const step = at - before;
      out.varint(step < 0 ? -step * 2 : step * 2 + 1);
      before = at;
    }
  }

  linesOf(count: number): Pick<ArchiveBlock, "firstLine" | "lastLine" | "present"> {
    const numbers = this.numbers.subarray(0, count);
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

  timesOf(count: number): Pick<ArchiveBlock, "firstAt" | "lastAt"> {
    let firstAt: number | null = null;
    let lastAt: number | null = null;
    for (const at of this.times.subarray(0, count)) {
      if (Number.isNaN(at)) continue;
      if (firstAt === null || at < firstAt) firstAt = at;
      if (lastAt === null || at > lastAt) lastAt = at;
    }
    return { firstAt, lastAt };
  }
}
