/** The mass of a fleet's lines is routine: tells them, and whose they are, from their bytes alone. Exact: what it is not sure of is read the long way. */
import type { EscapedText } from "./archive-lines";
import type { Format, Who } from "./format";
import { epochMs } from "./formats/times";

const DATE = Buffer.from('{"date":');
const BLOCK = Buffer.from('","kubernetes":{');
const ZERO = 48;
const NINE = 57;
const DOT = 46;
const SAMPLES = 24;
const MOST_LENGTHS = 64;

/** A sender whose records repeat its block; readers keep with it what they know of it. */
export interface Repeater<Memo> {
  who: Who;
  memo: Memo | null;
}

interface Block<Memo> extends Repeater<Memo> {
  before: number;
  bytes: Buffer;
}

/** A record that a format knows for routine by its bytes. One object for all of them: it says something until the next is read. */
export interface RoutineRecord<Memo> {
  routine: Format;
  from: Repeater<Memo>;
  /** Epoch ms. */
  at: number | null;
  text: EscapedText;
}

export class BlockSkimmer<Memo> {
  private befores: Buffer[] = [];
  private readonly beforeNumber = new Map<string, number>();
  /** By length and a sample of the bytes; which of them it is, if any, all bytes decide. */
  private blocks = new Map<number, Block<Memo>[]>();
  private lengths: number[] = [];
  private readonly judges: readonly Format[];
  private readonly record: RoutineRecord<Memo>;

  constructor(formats: readonly Format[]) {
    this.judges = formats.filter((one) => one.routineInJson !== undefined);
    const text = { bytes: DATE, from: 0, to: 0 };
    this.record = { routine: formats[0] as Format, from: { who: {}, memo: null }, at: null, text };
  }

  add(before: string, block: string, who: Who): void {
    let number = this.beforeNumber.get(before);
    if (number === undefined) {
      number = this.befores.push(Buffer.from(before)) - 1;
      this.beforeNumber.set(before, number);
    }
    const bytes = Buffer.from(block);
    const key = sampleOf(bytes, 0, bytes.length);
    const entry = { before: number, bytes, who, memo: null };
    // With very many lengths the long way is the shorter one.
    if (this.lengths.length < MOST_LENGTHS && !this.lengths.includes(bytes.length)) this.lengths.push(bytes.length);
    const list = this.blocks.get(key);
    if (list) list.push(entry);
    else this.blocks.set(key, [entry]);
  }

  clear(): void {
    this.befores = [];
    this.beforeNumber.clear();
    this.blocks = new Map();
    this.lengths = [];
  }

  /** The record in `bytes[from..to)` when it is surely routine and its block is known; else null. */
  read(bytes: Buffer, from: number, to: number): RoutineRecord<Memo> | null {
    if (!matchesAt(bytes, from, DATE)) return null;
    const first = from + DATE.length;
    const at = endOfNumber(bytes, first, to);
    // Ten digits, alone or with a point and up to nine more: seconds since 1970.
    if (at !== first + 10 && !(bytes[first + 10] === DOT && at > first + 11 && at <= first + 20)) return null;
    const before = this.beforeAt(bytes, at);
    if (before < 0) return null;
    const start = at + (this.befores[before] as Buffer).length;
    const block = this.blockOf(before, bytes, start, to);
    if (block === null) return null;
    const end = to - block.bytes.length;
    const routine = this.judgeOf(bytes, start, end);
    if (routine === null) return null;
    const { record } = this;
    record.routine = routine;
    record.from = block;
    record.at = timeAt(bytes, first, at);
    record.text.bytes = bytes;
    record.text.from = start;
    record.text.to = end;
    return record;
  }

  private beforeAt(bytes: Buffer, at: number): number {
    for (let i = 0; i < this.befores.length; i++) if (matchesAt(bytes, at, this.befores[i] as Buffer)) return i;
    return -1;
  }

  private judgeOf(bytes: Buffer, from: number, to: number): Format | null {
    for (const format of this.judges) if (format.routineInJson?.(bytes, from, to)) return format;
    return null;
  }

  /** The known block that the line ends with, begun anywhere after its text began. */
  private blockOf(before: number, bytes: Buffer, start: number, to: number): Block<Memo> | null {
    for (const length of this.lengths) {
      const from = to - length;
      if (from < start || !matchesAt(bytes, from, BLOCK)) continue;
      const sampled = this.blocks.get(sampleOf(bytes, from, to));
      if (sampled === undefined) continue;
      for (const block of sampled) {
        if (block.before === before && block.bytes.compare(bytes, from, to) === 0) return block;
      }
    }
    return null;
  }
}

/** Index after the digits, with at most one point after the tenth. */
function endOfNumber(bytes: Buffer, from: number, to: number): number {
  let at = from;
  for (; at < to; at++) {
    const byte = bytes[at] as number;
    if ((byte < ZERO || byte > NINE) && !(byte === DOT && at === from + 10)) break;
  }
  return at;
}

function matchesAt(bytes: Buffer, from: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[from + i] !== expected[i]) return false;
  return true;
}

function sampleOf(bytes: Buffer, from: number, to: number): number {
  const length = to - from;
  const step = Math.max(1, (length / SAMPLES) | 0);
  let hash = length;
  for (let at = from; at < to; at += step) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  return hash;
}

/** Epoch ms of seconds as digits; up to three of a fraction are whole milliseconds. */
function timeAt(bytes: Buffer, from: number, to: number): number | null {
  if (to - from > 14) return epochMs(Number(bytes.toString("latin1", from, to)));
  let ms = 0;
  for (let at = from; at < from + 10; at++) ms = ms * 10 + (bytes[at] as number) - ZERO;
  for (let i = 0; i < 3; i++) {
    const at = from + 11 + i;
    ms = ms * 10 + (at < to ? (bytes[at] as number) - ZERO : 0);
  }
  return epochMs(ms);
}
