/** Tells a JSON document that spans lines from lines, and cuts a body of documents into single ones, without parsing them. */
import type { Payload } from "./format";
import { stable } from "./natural-key";

const TOKEN =
  /\s*(?:("[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|true|false|null)|([{}[\],:]))/y;
/** What may stand at the end of a text that was cut in the middle of a token. */
const CUT_TOKEN = /\s*(?:"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*\\?|-?[\d.eE+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/y;

type Expect = "value" | "first-value" | "key" | "first-key" | "colon" | "next";

/** Does this text begin with a JSON object or array, as far as it goes? What follows a whole one is not looked at. */
export function isJsonPrefix(text: string): boolean {
  const open: ("{" | "[")[] = [];
  let expect: Expect = "value";
  let at = 0;
  if (!/^\s*[{[]/.test(text)) return false;
  for (;;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (!token) return endsInside(text, at, expect);
    at = TOKEN.lastIndex;
    const then = step(token, open, expect);
    if (then === null) return false;
    if (open.length === 0) return true;
    expect = then;
  }
}

function endsInside(text: string, at: number, expect: Expect): boolean {
  if (text.slice(at).trim() === "") return true;
  CUT_TOKEN.lastIndex = at;
  return expect !== "colon" && expect !== "next" && CUT_TOKEN.test(text);
}

/** What may follow after this token; null when it may not stand here. */
function step(token: RegExpExecArray, open: ("{" | "[")[], expect: Expect): Expect | null {
  const [, text, scalar, mark] = token;
  const wantsValue = expect === "value" || expect === "first-value";
  if (text !== undefined && (expect === "key" || expect === "first-key")) return "colon";
  if (text !== undefined || scalar !== undefined) return wantsValue ? "next" : null;
  if (mark === "{" || mark === "[") {
    if (!wantsValue) return null;
    open.push(mark);
    return mark === "{" ? "first-key" : "first-value";
  }
  if (mark === ":") return expect === "colon" ? "value" : null;
  if (mark === ",") return expect === "next" ? (open.at(-1) === "{" ? "key" : "value") : null;
  const empty = mark === "}" ? "first-key" : "first-value";
  if (expect !== "next" && expect !== empty) return null;
  return open.pop() === (mark === "}" ? "{" : "[") ? "next" : null;
}

const QUOTE = 34;
const BACKSLASH = 92;
const NEWLINE = 10;
const OPENING = new Set([123, 91]);
const CLOSING = new Set([125, 93]);

/** Follows brackets and strings over bytes, to find where each top-level value ends. */
export class JsonBoundary {
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** A bracket was opened and not yet closed. */
  get inside(): boolean {
    return this.depth > 0;
  }

  /** Index after the byte that ends a top-level value, at or after `from`; -1 when these bytes end inside one. */
  endIn(bytes: Uint8Array, from: number): number {
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (this.inString) this.stringByte(byte);
      else if (byte === QUOTE) this.inString = true;
      else if (OPENING.has(byte)) this.depth++;
      else if (CLOSING.has(byte) && this.depth > 0 && --this.depth === 0) return i + 1;
    }
    return -1;
  }

  private stringByte(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.inString = false;
  }
}

/** Several values that stand one after the other without a line between them, each as text; null when it is not all values. */
export function jsonValues(text: string): string[] | null {
  const bytes = Buffer.from(text);
  const values: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = new JsonBoundary().endIn(bytes, from);
    const value = bytes.toString("utf8", from, end < 0 ? bytes.length : end).trim();
    if (end < 0) return value === "" && values.length > 1 ? values : null;
    values.push(value);
    from = end;
  }
  return values.length > 1 ? values : null;
}

export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** Does it begin like JSON, and end too early? */
export function isCutJson(text: string): boolean {
  return parsed(text) === undefined && /^\s*(?:\{\s*(?:"|$)|\[\s*(?:\{|$))/.test(text);
}

/** Undefined when it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the archive has to know of a payload that its envelope parsed: to be parsed again, if its text says the same. */
export function parsedBy({ json, text }: Pick<Payload, "json" | "text">): { parsed?: true; cut?: true } {
  if (json === undefined) return {};
  return sameJson(parsed(text), json) ? { parsed: true } : { parsed: true, cut: true };
}

/** False too for what is nested too deep to be compared. */
function sameJson(a: unknown, b: unknown): boolean {
  try {
    return stable(a) === stable(b);
  } catch {
    return false;
  }
}

/** Each as JSON; null when one is nested too deep to be written. */
export function textsOf(items: readonly unknown[]): string[] | null {
  try {
    return items.map((item) => JSON.stringify(item));
  } catch {
    return null;
  }
}
