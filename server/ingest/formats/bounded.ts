/** Longest message kept, and how much of its two ends when it is longer: a line's cause often stands at its end. */
const MAX = 4_000;
const END = 1_400;

/** The text, or its beginning and end with `…` between them. Bounds what every pattern after it costs. */
export function bounded(text: string): string {
  return text.length <= MAX ? text : `${text.slice(0, END)} … ${text.slice(-END)}`;
}
