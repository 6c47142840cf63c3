/** What the URL of the page holds; read by the server too. */
import { parseAsString } from "nuqs/server";

export const FILTER_PARSERS = {
  by: parseAsString,
  run: parseAsString,
  family: parseAsString,
  class: parseAsString,
  node: parseAsString,
  outcome: parseAsString,
  owner: parseAsString,
  source: parseAsString,
  config: parseAsString,
  from: parseAsString,
  to: parseAsString,
};

export type FailureFilter = { [name in Exclude<keyof typeof FILTER_PARSERS, "by">]: string | null };
