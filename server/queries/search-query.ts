/** What somebody types into a search field: words and "quoted phrases", all of which must be in the line. Pure. */
import { CoalmineError } from "@/server/domain/errors";
import { tokensOf } from "@/server/domain/token-filter";

export interface SearchQuery {
  /** Words that a block must have to hold a line that matches. */
  tokens: string[];
  /** Is in every text that matches, whatever stands beside it; null when nothing so simple is. For `decodeBlock`. */
  probe: RegExp | null;
  /** Where a text matches: [from, to) in order, without overlap; null when some term is not in it. */
  matchesIn(text: string): [number, number][] | null;
}

const MOST_TERMS = 12;
const MOST_MARKS = 50;

/**
 * `parts`: terms may be parts of words. Letters count whatever their case. A term without a word of three letters or
 * digits cannot be looked up; `narrow` says that little enough is looked through to do without. Throws `invalid`.
 */
export function readQuery(q: string, { parts, narrow }: { parts: boolean; narrow: boolean }): SearchQuery {
  const terms = [...q.matchAll(/"([^"]*)"?|([^\s"]+)/g)]
    .map(([, phrase, word]) => (phrase ?? word ?? "").trim())
    .filter((term) => term !== "");
  if (terms.length > MOST_TERMS) throw new CoalmineError("invalid", `q: at most ${MOST_TERMS} words or phrases.`);
  const tokens = parts ? [] : [...new Set(terms.flatMap(tokensOf))];
  if (parts && !narrow && terms.length > 0) {
    throw new CoalmineError("invalid", "parts: parts of words are only looked for within a run, a pod or an hour.");
  }
  if (terms.length > 0 && tokens.length === 0 && !narrow) {
    throw new CoalmineError(
      "invalid",
      "q: give a word of at least three letters or digits, or name a run, a pod or an hour to look through.",
    );
  }
  const patterns = terms.map((term) => patternOf(term, parts));
  return { tokens, probe: probeOf(terms), matchesIn: (text) => marksOf(text, patterns) };
}

/** The longest piece of plain ASCII among the terms. */
function probeOf(terms: readonly string[]): RegExp | null {
  const pieces = terms.flatMap((term) => term.match(/[\x21-\x7e]+/g) ?? []);
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), "");
  return longest === "" ? null : new RegExp(escaped(longest), "gi");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The term as it is, spaces of any width, between whole words. */
function patternOf(term: string, parts: boolean): RegExp {
  const literal = escaped(term).replace(/\s+/g, "\\s+");
  const before = !parts && /^[A-Za-z0-9]/.test(term) ? "(?<![A-Za-z0-9])" : "";
  const after = !parts && /[A-Za-z0-9]$/.test(term) ? "(?![A-Za-z0-9])" : "";
  return new RegExp(`${before}${literal}${after}`, "gi");
}

function marksOf(text: string, patterns: readonly RegExp[]): [number, number][] | null {
  const marks: [number, number][] = [];
  for (const pattern of patterns) {
    pattern.lastIndex = 0;
    let n = 0;
    for (let found = pattern.exec(text); found !== null && n < MOST_MARKS; found = pattern.exec(text), n++) {
      marks.push([found.index, found.index + found[0].length]);
    }
    if (n === 0) return null;
  }
  return joined(marks.sort((a, b) => a[0] - b[0]));
}

function joined(marks: readonly [number, number][]): [number, number][] {
  const all: [number, number][] = [];
  for (const [from, to] of marks) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
