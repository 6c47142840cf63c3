/** Cuts a computed sentence so that its count can be set apart. Pure. */
import { thousands } from "./thousands";

export interface SentenceParts {
  /** What was lost, e.g. `41 of 316 rollouts`; empty when the sentence does not say a loss. */
  loss: string;
  rest: string;
  before: string;
}

const LOSS = /(\d[\d\u2009 ]* of (?:them|\d[\d\u2009 ]* rollouts?))/;

/** A count of four digits or more, before what is counted or after `of`; no part of a name, an address or a fraction. */
const COUNT = /(?<![\w.:,/-])\d{4,}(?= [a-z])|(?<=\bof )\d{4,}(?![\w.:/-]*\w)/g;

/** Parts the thousands of counts, and keeps a number and its unit on one line. */
export function holdUnits(text: string): string {
  return text.replace(COUNT, thousands).replace(/(\d) (?=%|[KMGT]iB\b|s\b)/g, "$1\u00a0");
}

/** Finds the first `k of n rollouts`. A sentence that begins with none or has no count stays whole. */
export function sentenceParts(sentence: string): SentenceParts {
  const found = LOSS.exec(sentence);
  if (!found || /\bnone\b/i.test(sentence.slice(0, found.index + 1))) return { before: sentence, loss: "", rest: "" };
  const loss = found[1] ?? "";
  return { before: sentence.slice(0, found.index), loss, rest: sentence.slice(found.index + loss.length) };
}
