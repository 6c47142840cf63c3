/**
 * The regular expressions that users' rules may hold, as a tree. A subset of JavaScript's with the same meaning: what is left out
 * (back-references, look-around, named groups) is what needs backtracking. Text is taken in UTF-16 units, as JavaScript does without flag `u`.
 */

export type Node =
  | { kind: "set"; ranges: readonly Range[]; negated: boolean }
  | { kind: "start" | "end" | "edge" | "inside" }
  | { kind: "all"; parts: readonly Node[] }
  | { kind: "any"; parts: readonly Node[] }
  | { kind: "repeat"; part: Node; min: number; max: number };
/** First and last UTF-16 unit, both included. */
export type Range = readonly [from: number, to: number];

/** Why a pattern is refused, for the person who wrote it. */
export class PatternError extends Error {}

const MAX_LENGTH = 500;
const MAX_COUNT = 200;
const MAX_DEPTH = 50;
const LAST = 0xffff;

const DIGIT: readonly Range[] = [[48, 57]];
const WORD: readonly Range[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACE: readonly Range[] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LINE_ENDS: readonly Range[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];
const CLASSES: Record<string, readonly Range[]> = { d: DIGIT, w: WORD, s: SPACE };
const CONTROLS: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, v: 11, "0": 0 };

/** Throws `PatternError`. */
export function parsePattern(pattern: string): Node {
  if (pattern.length > MAX_LENGTH) throw new PatternError(`is longer than ${MAX_LENGTH} characters`);
  return new Parser(pattern).whole();
}

/** The ranges of everything that is in none of these. */
export function inverted(ranges: readonly Range[]): Range[] {
  const free: Range[] = [];
  let from = 0;
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (first > from) free.push([from, first - 1]);
    from = Math.max(from, last + 1);
  }
  if (from <= LAST) free.push([from, LAST]);
  return free;
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  whole(): Node {
    const node = this.alternatives();
    if (this.at < this.text.length) throw this.wrong("a ) without its (");
    return node;
  }

  private alternatives(): Node {
    const parts = [this.sequence()];
    while (this.take("|")) parts.push(this.sequence());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: "any", parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.text.length && !/[|)]/.test(this.peek())) parts.push(this.repeated());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: "all", parts };
  }

  private repeated(): Node {
    const part = this.atom();
    const count = this.counts();
    if (count === null) return part;
    this.take("?");
    if (this.counts() !== null) throw this.wrong("a repeat of a repeat");
    return { kind: "repeat", part, ...count };
  }

  private counts(): { min: number; max: number } | null {
    const max = Number.POSITIVE_INFINITY;
    if (this.take("*")) return { min: 0, max };
    if (this.take("+")) return { min: 1, max };
    if (this.take("?")) return { min: 0, max: 1 };
    const braces = /^\{(\d{1,6})(?:(,)(\d{1,6})?)?\}/.exec(this.text.slice(this.at, this.at + 16));
    if (!braces) return null;
    const [whole, low, comma, high] = braces;
    this.at += whole.length;
    const min = Number(low);
    const most = comma === undefined ? min : high === undefined ? max : Number(high);
    if (most < min) throw this.wrong("a repeat whose numbers are out of order");
    if (min > MAX_COUNT || (most !== max && most > MAX_COUNT)) throw this.wrong(`a repeat of more than ${MAX_COUNT}`);
    return { min, max: most };
  }

  private atom(): Node {
    const char = this.next();
    if (char === "(") return this.group();
    if (char === "[") return this.set();
    if (char === "\\") return this.escape();
    if (char === "^") return { kind: "start" };
    if (char === "$") return { kind: "end" };
    if (char === ".") return { kind: "set", ranges: LINE_ENDS, negated: true };
    if (/[*+?]/.test(char)) throw this.wrong(`a ${char} with nothing before it`);
    if (/[{}\]]/.test(char)) throw this.wrong(`a ${char} that is not escaped; write \\${char}`);
    return literal(char.charCodeAt(0));
  }

  private group(): Node {
    if (++this.depth > MAX_DEPTH) throw this.wrong("groups nested too deep");
    if (this.take("?") && !this.take(":")) throw this.wrong("look-around or a named group; use (?: … )");
    const inner = this.alternatives();
    if (!this.take(")")) throw this.wrong("a ( without its )");
    this.depth--;
    return inner;
  }

  private escape(): Node {
    const char = this.next();
    if (char === "b") return { kind: "edge" };
    if (char === "B") return { kind: "inside" };
    return this.escaped(char);
  }

  private escaped(char: string): Node & { kind: "set" } {
    const known = CLASSES[char.toLowerCase()];
    if (known) return { kind: "set", ranges: known, negated: char !== char.toLowerCase() };
    if (/[1-9]/.test(char)) throw this.wrong("a back-reference");
    if (char === "x" || char === "u") return literal(this.hex(char === "x" ? 2 : 4));
    const control = CONTROLS[char];
    if (control !== undefined && !(char === "0" && /\d/.test(this.peek()))) return literal(control);
    if (/[A-Za-z0-9]/.test(char)) throw this.wrong(`the escape \\${char}`);
    return literal(char.charCodeAt(0));
  }

  private hex(digits: number): number {
    const code = this.text.slice(this.at, this.at + digits);
    if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(code)) throw this.wrong(`an escape without ${digits} hex digits`);
    this.at += digits;
    return Number.parseInt(code, 16);
  }

  private set(): Node {
    const negated = this.take("^");
    const ranges: Range[] = [];
    while (!this.take("]")) {
      const first = this.member();
      const single = first.length === 1 && first[0] && first[0][0] === first[0][1] ? first[0][0] : null;
      if (this.peek() !== "-" || this.text[this.at + 1] === "]") {
        ranges.push(...first);
        continue;
      }
      this.next();
      const [last, ...more] = this.member();
      if (single === null || !last || more.length > 0 || last[0] !== last[1]) throw this.wrong("a range of classes");
      if (last[0] < single) throw this.wrong("a range out of order");
      ranges.push([single, last[0]]);
    }
    return { kind: "set", ranges, negated };
  }

  private member(): readonly Range[] {
    const char = this.next();
    if (char !== "\\") return [[char.charCodeAt(0), char.charCodeAt(0)]];
    const escaped = this.next();
    if (escaped === "b") return [[8, 8]];
    const { ranges, negated } = this.escaped(escaped);
    return negated ? inverted(ranges) : ranges;
  }

  private peek(): string {
    return this.text[this.at] ?? "";
  }

  private next(): string {
    const char = this.text[this.at];
    if (char === undefined) throw this.wrong("an end that comes too early");
    this.at++;
    return char;
  }

  private take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }

  private wrong(what: string): PatternError {
    return new PatternError(`has ${what} (at character ${this.at})`);
  }
}

function literal(unit: number): Node & { kind: "set" } {
  return { kind: "set", ranges: [[unit, unit]], negated: false };
}
