"use client";

import { createSerializer, useQueryStates } from "nuqs";
import { useCallback } from "react";
import { NO_FILTER, ROW_PARSERS, type RowFilter } from "./row-parsers";

export const ROWS_ID = "rollouts";
const serialize = createSerializer(ROW_PARSERS);

/** The address of a run's rows under a filter. */
export function rowsHref(run: string, filter: Partial<RowFilter>): string {
  return `${serialize(`/runs/${encodeURIComponent(run)}`, filter)}#${ROWS_ID}`;
}

/** Which rollouts of the run are shown, kept in the URL. `change` keeps the other filters; `replace` drops them. */
export function useRowFilter() {
  const [filter, setFilter] = useQueryStates(ROW_PARSERS);
  const change = useCallback((part: Partial<RowFilter>) => void setFilter(part), [setFilter]);
  const replace = useCallback(
    (part: Partial<RowFilter>) => void setFilter({ ...NO_FILTER, ...part }, { history: "push" }),
    [setFilter],
  );
  return { filter, change, replace };
}
