/** What the page asks. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { apiUrl, getJson, type Params } from "@/app/_client/api";
import type { SearchAnswer, SearchBeside } from "@/server/domain/raw-lines";
import type { SearchFilter } from "./search-parsers";
import { canUseParts } from "./search-time";

const ROWS = 100;
const PATH = "/search";
const BESIDE = "/search/beside";

/** As the API takes them. */
export function searchParams(filter: SearchFilter): Params {
  return { ...filter, parts: filter.parts && canUseParts(filter) ? "true" : null };
}

/** Lines, page by page. They stay as they were found: what comes later is another matter. */
export function askLines(filter: SearchFilter) {
  const params = { ...searchParams(filter), limit: ROWS };
  return infiniteQueryOptions({
    queryKey: [PATH, apiUrl(PATH, params), "pages"] as const,
    queryFn: ({ signal, pageParam }) => getJson<SearchAnswer>(apiUrl(PATH, { ...params, cursor: pageParam }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: SearchAnswer) => last.next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

export function askBeside(filter: SearchFilter) {
  const url = apiUrl(BESIDE, searchParams(filter));
  return queryOptions({
    queryKey: [BESIDE, url] as const,
    queryFn: ({ signal }) => getJson<SearchBeside>(url, signal),
    enabled: filter.q !== null,
  });
}
