/** Tables as CSV, from the same calls that the pages read. */
import { send } from "@/app/_client/api";
import { saveBlob } from "../chart/save-blob";

/** Pages read at most: 500 of 1 000 rows. */
const MOST_PAGES = 500;

/** Reads every page of a list as CSV and saves it as one file. Throws `ApiError`. */
export async function downloadCsv(url: string, fileName: string): Promise<void> {
  const parts: string[] = [];
  let next: string | null = withLimit(url);
  for (let page = 0; next !== null && page < MOST_PAGES; page += 1) {
    const response: Response = await send(next, { headers: { accept: "text/csv" } });
    const text = await response.text();
    parts.push(page === 0 ? text : withoutHead(text));
    next = nextUrl(response.headers.get("link"));
  }
  saveBlob(new Blob(parts, { type: "text/csv;charset=utf-8" }), fileName);
}

function withLimit(url: string): string {
  const [path = "", query = ""] = url.split("?");
  const params = new URLSearchParams(query);
  params.set("limit", "1000");
  return `${path}?${params}`;
}

/** The rows of a page without its first line, which names the columns. */
export function withoutHead(csv: string): string {
  const end = csv.indexOf("\n");
  return end < 0 ? "" : csv.slice(end + 1);
}

/** The address of the next page from a `Link` header. */
export function nextUrl(link: string | null): string | null {
  return /<([^>]+)>\s*;\s*rel="?next"?/.exec(link ?? "")?.[1] ?? null;
}
