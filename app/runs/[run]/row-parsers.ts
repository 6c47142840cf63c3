/** Which rollouts of a run are shown, as the URL says it; read by the server too. */
import { parseAsString } from "nuqs/server";
import { ALL, shownVerdict } from "@/app/_ui/verdicts";

export const ROW_PARSERS = {
  verdict: parseAsString,
  family: parseAsString,
  class: parseAsString,
  node: parseAsString,
  config: parseAsString,
  task: parseAsString,
  text: parseAsString,
  from: parseAsString,
  to: parseAsString,
};

export type RowFilter = { [name in keyof typeof ROW_PARSERS]: string | null };

export const NO_FILTER: RowFilter = {
  verdict: null,
  family: null,
  class: null,
  node: null,
  config: null,
  task: null,
  text: null,
  from: null,
  to: null,
};

/** What the API is asked for a filter of the page, of a run that lost so many rollouts. */
export function rowsAsked(filter: RowFilter, lost: number) {
  const verdict = shownVerdict(filter.verdict, lost);
  return { ...filter, verdict: verdict === ALL ? null : verdict };
}
