/** The text of `kubectl describe` by its indentation: keys with a value, and what stands deeper below each. */

export interface DescribedSection {
  key: string;
  value: string;
  body: string[];
}

const KEY = /^\s*([^:]+):(?:\s+(.*\S))?\s*$/;

/** The sections at the least indentation of these lines. Lines there that are no `Key: value` are left out. */
export function sectionsOf(lines: readonly string[]): DescribedSection[] {
  const least = Math.min(...lines.map(indentOf));
  const sections: DescribedSection[] = [];
  for (const line of lines) {
    const match = indentOf(line) === least ? KEY.exec(line) : null;
    if (match?.[1] !== undefined) sections.push({ key: match[1], value: match[2] ?? "", body: [] });
    else if (indentOf(line) > least) sections.at(-1)?.body.push(line);
  }
  return sections;
}

export function sectionAt(sections: readonly DescribedSection[], key: string): DescribedSection | undefined {
  return sections.find((one) => one.key === key);
}

/** The value of a key; undefined for one that is not there or stands empty. */
export function valueAt(sections: readonly DescribedSection[], key: string): string | undefined {
  const value = sectionAt(sections, key)?.value;
  return value === "" || value === "<none>" || value === "<unknown>" ? undefined : value;
}

/** `a=b` pairs, the first beside their key and the others below it. */
export function pairsAt(sections: readonly DescribedSection[], key: string): Record<string, string> {
  const section = sectionAt(sections, key);
  const pairs = section ? [section.value, ...section.body] : [];
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const match = /^\s*([^=\s]+)=(.*?)\s*$/.exec(pair);
      return match?.[1] === undefined ? [] : [[match[1], match[2] ?? ""]];
    }),
  );
}

/** Rows of a table below its heading, in cells that two blanks or more part. */
export function rowsAt(sections: readonly DescribedSection[], key: string): string[][] {
  const rows = sectionAt(sections, key)?.body ?? [];
  return rows
    .map((row) => row.trim().split(/\s{2,}/))
    .filter(([first]) => first !== "Type" && !/^-+$/.test(first ?? ""));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
