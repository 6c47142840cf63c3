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

/** A record that a format knows for routine by its bytes. */
export interface RoutineRecord {
  routine: Format;
  who: Who;
  /** Epoch ms. */
  at: number | null;
  text: EscapedText;
}

interface Block {
  before: number;
  bytes: Buffer;
  who: Who;
}

export class BlockSkimmer {
  private befores: Buffer[] = [];
  private readonly beforeNumber = new Map<string, number>();
  /** By length and a sample of the bytes; which of them it is, if any, all bytes decide. */
  private blocks = new Map<number, Block[]>();
  private lengths: number[] = [];
  private readonly judges: readonly Format[];

  constructor(formats: readonly Format[]) {
    this.judges = formats.filter((one) => one.routineInJson !== undefined);
  }

  add(before: string, block: string, who: Who): void {
    let number = this.beforeNumber.get(before);
    if (number === undefined) {
      number = this.befores.push(Buffer.from(before)) - 1;
      this.beforeNumber.set(before, number);
    }
    const bytes = Buffer.from(block);
    const key = sampleOf(bytes, 0, bytes.length);
    const entry = { before: number, bytes, who };
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
  read(bytes: Buffer, from: number, to: number): RoutineRecord | null {
    if (!matchesAt(bytes, from, DATE)) return null;
    const first = from + DATE.length;
    const at = endOfNumber(bytes, first, to);
    // Ten digits, alone or with a point and up to nine more: seconds since 1970.
    if (at !== first + 10 && !(bytes[first + 10] === DOT && at > first + 11 && at <= first + 20)) return null;
    const before = this.befores.findIndex((known) => matchesAt(bytes, at, known));
    if (before < 0) return null;
    const start = at + (this.befores[before] as Buffer).length;
    const block = this.blockOf(before, bytes, start, to);
    if (block === null) return null;
    const end = to - block.bytes.length;
    const routine = this.judges.find((format) => format.routineInJson?.(bytes, start, end));
    if (!routine) return null;
    const time = epochMs(Number(bytes.toString("latin1", first, at)));
    return { routine, who: block.who, at: time, text: { bytes, from: start, to: end } };
  }

  /** The known block that the line ends with, begun anywhere after its text began. */
  private blockOf(before: number, bytes: Buffer, start: number, to: number): Block | null {
    for (const length of this.lengths) {
      const from = to - length;
      if (from < start || !matchesAt(bytes, from, BLOCK)) continue;
      for (const block of this.blocks.get(sampleOf(bytes, from, to)) ?? []) {
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
  let hash = length;
  for (let i = 0; i < SAMPLES; i++)
    hash = (Math.imul(hash, 31) + (bytes[from + Math.floor((i * length) / SAMPLES)] as number)) | 0;
  return hash;
}
