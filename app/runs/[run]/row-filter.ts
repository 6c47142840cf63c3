"use client";

import { createSerializer, parseAsString, useQueryStates } from "nuqs";
import { useCallback } from "react";

const PARSERS = {
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

export type RowFilter = { [name in keyof typeof PARSERS]: string | null };

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

export const ROWS_ID = "rollouts";
const serialize = createSerializer(PARSERS);

/** The address of a run's rows under a filter. */
export function rowsHref(run: string, filter: Partial<RowFilter>): string {
  return `${serialize(`/runs/${encodeURIComponent(run)}`, filter)}#${ROWS_ID}`;
}

/** Which rollouts of the run are shown, kept in the URL. `change` keeps the other filters; `replace` drops them. */
export function useRowFilter() {
  const [filter, setFilter] = useQueryStates(PARSERS);
  const change = useCallback((part: Partial<RowFilter>) => void setFilter(part), [setFilter]);
  const replace = useCallback(
    (part: Partial<RowFilter>) => void setFilter({ ...NO_FILTER, ...part }, { history: "push" }),
    [setFilter],
  );
  return { filter, change, replace };
}
