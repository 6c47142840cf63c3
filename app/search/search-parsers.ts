/** What the URL of the page holds; read by the server too. */
import { parseAsBoolean, parseAsString } from "nuqs/server";

export const SEARCH_PARSERS = {
  q: parseAsString,
  /** Words may be parts of words. */
  parts: parseAsBoolean.withDefault(false),
  run: parseAsString,
  node: parseAsString,
  pod: parseAsString,
  sandbox: parseAsString,
  source: parseAsString,
  from: parseAsString,
  to: parseAsString,
  /** New lines appear as they come. */
  live: parseAsBoolean.withDefault(false),
};

export type SearchState = {
  [name in Exclude<keyof typeof SEARCH_PARSERS, "parts" | "live">]: string | null;
} & { parts: boolean; live: boolean };

export type SearchFilter = Omit<SearchState, "live">;
