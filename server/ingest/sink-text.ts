/** Bounds what is stored of a text; what lies at both ends tells most (a message and the innermost cause, or the outermost). */
export const MAX_TEXT = 4_000;
const CUT = "\n…\n";

export function boundText(text: string, max = MAX_TEXT): string {
  if (text.length <= max) return text;
  const head = Math.ceil((max - CUT.length) * 0.65);
  return `${wholeStart(text, head)}${CUT}${wholeEnd(text, max - CUT.length - head)}`;
}

/** Never cuts a surrogate pair in two: half of one is no text that can be stored as UTF-8. */
function wholeStart(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

function wholeEnd(text: string, length: number): string {
  const from = text.length - length;
  const code = text.charCodeAt(from);
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? from + 1 : from);
}
