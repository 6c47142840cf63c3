"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { apiUrl } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { CopyLink } from "@/app/_ui/copy-button";
import { PageFrame } from "@/app/_ui/page-frame";
import { Sentence } from "@/app/_ui/sentence";
import { CsvButton } from "@/app/_ui/table/csv-button";
import { SEARCH_PARSERS, type SearchFilter, type SearchState } from "./search-parsers";
import { askLines, searchParams } from "./search-questions";
import { notLookedUp, sentenceOfSearch } from "./search-sentence";

// Drawn on the server too; their code comes behind the first paint.
const Beside = behind(() => import("./beside").then((module) => module.Beside));
const FoundLines = behind(() => import("./found-lines").then((module) => module.FoundLines));
const SearchForm = behind(() => import("./search-form").then((module) => module.SearchForm));

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
      <Headline filter={filter} />
      <SearchForm filter={filter} live={live} change={change} runs={runs.data?.items ?? []} />
      <div className="grid gap-x-8 lg:grid-cols-[minmax(0,1fr)_250px]">
        <Beside filter={filter} />
        <FoundLines key={key} filter={filter} live={live} />
      </div>
    </PageFrame>
  );
}

function Headline({ filter }: { filter: SearchFilter }) {
  const { data, hasNextPage, isError } = useInfiniteQuery(askLines(filter));
  const found = data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? null;
  const text = found === null && isError ? notLookedUp(filter) : sentenceOfSearch(filter, found, hasNextPage);
  return <Sentence text={text} />;
}
