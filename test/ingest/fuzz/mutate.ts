/** Broken input of every kind, made of good input; a seed gives the same again. */
import { SeededRandom } from "@/server/stats/seeded-random";

const ODD = [
  "\u0000",
  "\r\n",
  "\r",
  "\uFEFF",
  "\u2028",
  "\u202E",
  "é",
  "😀",
  "\u001b[31m",
  "\\",
  '"',
  "'",
  "{",
  "}",
  "[",
  "]",
  "<",
  "%",
  " ",
  "\t",
];
const NUMBERS = [
  "0",
  "-0",
  "-1",
  "1e400",
  "-1e400",
  "9007199254740993",
  "99999999999999999999",
  "1e-400",
  "NaN",
  "Infinity",
  "0x10",
  "1.7e308",
];
const VALUES = [...NUMBERS, "null", "true", '""', "[]", "{}", '"text"', '["a",1,{}]', '{"a":{"b":[]}}'];

type Mutation = (bytes: Buffer, random: Dice) => Buffer;

export class Dice {
  private readonly random: SeededRandom;
  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }
  /** A whole number from 0 to `n` − 1. */
  below(n: number): number {
    return Math.floor(this.random.next() * n);
  }
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** One to four changes to a copy of `seed`. */
export function mutated(seed: Buffer, random: Dice): Buffer {
  let bytes = seed;
  for (let n = 1 + random.below(4); n > 0; n--) bytes = random.of(MUTATIONS)(bytes, random);
  return bytes;
}

function spliced(bytes: Buffer, from: number, drop: number, insert: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), insert, bytes.subarray(Math.min(bytes.length, from + drop))]);
}

function span(bytes: Buffer, random: Dice): [from: number, length: number] {
  return [random.below(bytes.length + 1), random.below(1 + Math.min(bytes.length, 200))];
}

const flipBits: Mutation = (bytes, random) => {
  const copy = Buffer.from(bytes);
  for (let n = 1 + random.below(8); n > 0 && copy.length > 0; n--) {
    const at = random.below(copy.length);
    copy[at] = (copy[at] as number) ^ (1 << random.below(8));
  }
  return copy;
};
const truncate: Mutation = (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1));
const dropHead: Mutation = (bytes, random) => bytes.subarray(random.below(Math.min(bytes.length, 400) + 1));
const dropSpan: Mutation = (bytes, random) => spliced(bytes, ...span(bytes, random), Buffer.alloc(0));
const repeatSpan: Mutation = (bytes, random) => {
  const [from, length] = span(bytes, random);
  return spliced(bytes, from, 0, Buffer.concat(Array(1 + random.below(4)).fill(bytes.subarray(from, from + length))));
};
const insertOdd: Mutation = (bytes, random) =>
  spliced(bytes, random.below(bytes.length + 1), 0, Buffer.from(random.of(ODD).repeat(1 + random.below(3))));
const longLine: Mutation = (bytes, random) => {
  const unit = random.of(["a", "A", " ", "1", "Error", "a.", "\\", '"', ": ", "({", "x=", "aA "]);
  return spliced(bytes, random.below(bytes.length + 1), 0, Buffer.from(unit.repeat(1 + random.below(20_000))));
};
const deepNesting: Mutation = (bytes, random) => {
  const depth = 1 + random.below(3_000);
  const [open, close] = random.of([
    ["[", "]"],
    ['{"a":', "}"],
    ['[{"log":', "}]"],
  ] as const);
  const nested = open.repeat(depth) + random.of(["1", ""]) + (random.below(2) === 0 ? close.repeat(depth) : "");
  return spliced(bytes, random.below(bytes.length + 1), 0, Buffer.from(nested));
};
const crlf: Mutation = (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1");

/** Puts something else where one of the pattern's matches was. */
function swap(pattern: RegExp, values: readonly string[]): Mutation {
  return (bytes, random) => {
    const text = bytes.toString("latin1");
    const found = [...text.matchAll(pattern)];
    if (found.length === 0) return bytes;
    const { index, 0: match } = random.of(found);
    return spliced(bytes, index, match.length, Buffer.from(random.of(values)));
  };
}

const MUTATIONS: readonly Mutation[] = [
  flipBits,
  truncate,
  dropHead,
  dropSpan,
  dropSpan,
  repeatSpan,
  repeatSpan,
  insertOdd,
  insertOdd,
  longLine,
  deepNesting,
  crlf,
  swap(/\d+(?:\.\d+)?/g, NUMBERS),
  swap(/(?<=": ?)(?:"(?:[^"\\]|\\.)*"|[\d.]+|true|false|null|\{\}|\[\])/g, VALUES),
  swap(/(?<=": ?)(?:"(?:[^"\\]|\\.)*"|[\d.]+|true|false|null)/g, VALUES),
  swap(/[,:{}[\]"]/g, [...ODD, ",", ":"]),
  swap(/\n/g, ["\r\n", "", " ", "\n\n", "\u2028"]),
];
