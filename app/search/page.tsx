import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { SEARCH_PARSERS } from "./search-parsers";
import { askLines } from "./search-questions";
import { SearchView } from "./search-view";

export const metadata: Metadata = { title: "Search" };

const load = createLoader(SEARCH_PARSERS);

export default async function SearchPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { live: _, ...filter } = await load(searchParams);
  return (
    <Answered questions={[ask.runs(), askLines(filter)]} path="/search">
      <SearchView />
    </Answered>
  );
}
