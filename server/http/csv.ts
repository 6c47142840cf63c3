/** Lists as CSV (RFC 4180): nested fields as dotted columns, lists as JSON. Pure. */

type Row = Map<string, unknown>;

/** A header line and one line per item; columns in the order in which they first appear. Without items: nothing. */
export function toCsv(items: readonly object[]): string {
  const rows = items.map((item) => flatten(item));
  const seen = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  // A part that only some items have is one column less, not one more, where it is null.
  const columns = seen.filter((column) => !seen.some((other) => other.startsWith(`${column}.`)));
  if (columns.length === 0) return "";
  const lines = rows.map((row) => columns.map((column) => cell(row.get(column))));
  return [columns.map(cell), ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

function flatten(item: object, prefix = "", row: Row = new Map()): Row {
  for (const [name, value] of Object.entries(item)) {
    const path = prefix + name;
    if (value !== null && typeof value === "object" && !Array.isArray(value)) flatten(value, `${path}.`, row);
    else row.set(path, value);
  }
  return row;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = harmless(typeof value === "string" ? value : JSON.stringify(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets run text that starts like a formula; a quote before it makes it text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

export function wantsCsv(request: Request): boolean {
  return /(^|,)\s*text\/csv\s*(;|,|$)/i.test(request.headers.get("accept") ?? "");
}
