/** A half of a character, escaped in JSON any number of times: a high one, with the low one behind it if there, or a low one alone. */
const HALVES = /(\\u[dD][89abAB][\da-fA-F]{2})(\\{1,15}u[dD][c-fC-F][\da-fA-F]{2})?|\\u[dD][c-fC-F][\da-fA-F]{2}/g;

/**
 * The text with U+FFFD for each half of a character that JSON spells alone, as a cut-off emoji leaves it: such a name can be
 * written to no store and read back the same.
 */
export function wholeCharacters(text: string): string {
  if (!text.includes("\\u")) return text;
  return text.replace(HALVES, (found: string, _high: string | undefined, low: string | undefined) =>
    low === undefined ? `${found.slice(0, -4)}fffd` : found,
  );
}
