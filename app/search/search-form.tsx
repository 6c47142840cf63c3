"use client";

import type { RunSummary } from "@/server/domain/answers";
import { SearchBox } from "./search-box";
import { SearchFilters } from "./search-filters";
import type { SearchFilter, SearchState } from "./search-parsers";

interface SearchFormProps {
  filter: SearchFilter;
  live: boolean;
  change(part: Partial<SearchState>): void;
  runs: readonly RunSummary[];
}

/** What is looked for, and where. */
export function SearchForm(props: SearchFormProps) {
  return (
    <>
      <SearchBox value={props.filter.q} onChange={(q) => props.change({ q })} />
      <SearchFilters {...props} />
    </>
  );
}
