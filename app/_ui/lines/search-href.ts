/** Where raw lines are searched. Pure. */
import type { RawLine } from "@/server/domain/raw-lines";

const AROUND_MS = 60_000;

/** The search for what was written a minute before and after a line, in its run if it has one. */
export function searchAroundHref({ at, run }: Pick<RawLine, "at" | "run">): string {
  const params = new URLSearchParams();
  if (run !== null) params.set("run", run);
  if (at !== null) {
    const ms = Date.parse(at);
    params.set("from", new Date(ms - AROUND_MS).toISOString());
    params.set("to", new Date(ms + AROUND_MS).toISOString());
  }
  return `/search?${params}`;
}

/** Names a line wherever it is shown. */
export function lineKey({ batch, line, part }: Pick<RawLine, "batch" | "line" | "part">): string {
  return `${batch}/${line}/${part}`;
}
