"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { apiUrl } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { CopyLink } from "@/app/_ui/copy-button";
import { PageFrame } from "@/app/_ui/page-frame";
import { CsvButton } from "@/app/_ui/table/csv-button";
import { Beside } from "./beside";
import { FoundLines } from "./found-lines";
import { SearchBox } from "./search-box";
import { SearchFilters } from "./search-filters";
import { SEARCH_PARSERS, type SearchState } from "./search-parsers";
import { searchParams } from "./search-questions";

/** Every line that was read, by its words. */
export function SearchView() {
  const [{ live, ...given }, setState] = useQueryStates(SEARCH_PARSERS);
  const change = useCallback((part: Partial<SearchState>) => void setState(part), [setState]);
  const runs = useQuery(ask.runs());
  const key = JSON.stringify(given);
  // The same filter as long as it says the same.
  const filter = useMemo(() => JSON.parse(key) as typeof given, [key]);
  return (
    <PageFrame
      trail={[{ name: "Search" }]}
      actions={
        <>
          <CsvButton url={apiUrl("/search", searchParams(filter))} fileName="coalmine-lines.csv" />
          <CopyLink />
        </>
      }
    >
      <h1 className="sr-only">Search raw lines</h1>
      <SearchBox value={filter.q} onChange={(q) => change({ q })} />
      <SearchFilters filter={filter} live={live} change={change} runs={runs.data?.items ?? []} />
      <div className="grid gap-x-8 lg:grid-cols-[minmax(0,1fr)_250px]">
        <Beside filter={filter} />
        <FoundLines key={key} filter={filter} live={live} />
      </div>
    </PageFrame>
  );
}
