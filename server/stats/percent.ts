/** Numbers as sentences write them. */

/** A fraction as `13.0 %`; small ones keep two digits (`0.15 %`), and below 0.01 % only that is said. */
export function percent(fraction: number): string {
  const value = fraction * 100;
  const size = Math.abs(value);
  if (size === 0) return "0 %";
  if (size < 0.01) return "less than 0.01 %";
  return `${value.toFixed(size < 1 ? 2 : 1)} %`;
}

/** A difference of fractions in points: `6.4 points`, without its sign. */
export function points(difference: number): string {
  const value = Math.abs(difference * 100).toFixed(1);
  return value === "1.0" ? "1.0 point" : `${value} points`;
}

/** `3 failures`, `1 failure`. */
export function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}
