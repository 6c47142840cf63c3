/** What the search found, in one sentence. Pure. */
import { plural } from "@/app/_ui/format";
import type { SearchFilter } from "./search-parsers";

/** `found`: lines so far, null while nothing is known; `more`: there may be others further back. */
export function sentenceOfSearch(filter: SearchFilter, found: number | null, more: boolean): string {
  const { q, run, node } = filter;
  const where = `${run === null ? "" : ` of ${run}`}${node === null ? "" : ` on ${node}`}`;
  if (q === null) return `Every line${where} that was read, the newest first.`;
  if (found === null) return `Looking for ${quoted(q)} …`;
  if (found === 0) return more ? `No line${where} holds ${quoted(q)} so far.` : `No line${where} holds ${quoted(q)}.`;
  const lines = `${plural(found, "line")}${where} ${found === 1 ? "holds" : "hold"} ${quoted(q)}`;
  return more ? `At least ${lines}.` : `${lines.charAt(0).toUpperCase()}${lines.slice(1)}.`;
}

/** When the server did not answer the search. */
export function notLookedUp({ q }: SearchFilter): string {
  return q === null ? "The lines could not be read." : `${quoted(q)} was not looked up.`;
}

function quoted(q: string): string {
  return q.includes('"') ? q : `“${q}”`;
}
