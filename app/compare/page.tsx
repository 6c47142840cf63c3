import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { COMPARE_PARSERS, pairOf } from "./compare-parsers";
import { CompareView } from "./compare-view";

interface ComparePageProps {
  searchParams: Promise<SearchParams>;
}

const load = createLoader(COMPARE_PARSERS);

export async function generateMetadata({ searchParams }: ComparePageProps): Promise<Metadata> {
  const pair = pairOf(await load(searchParams));
  return { title: pair === null ? "Compare" : `${pair.baseline} → ${pair.candidate}` };
}

export default async function ComparePage({ searchParams }: ComparePageProps) {
  const state = await load(searchParams);
  const pair = pairOf(state);
  // The list of runs comes first: a run that is gone must leave the way to choose another.
  const questions = pair === null ? [] : [ask.compare(pair.baseline, pair.candidate, state.paired)];
  return (
    <Answered questions={[ask.runs(), ...questions]} path={`/compare${queryOf(await searchParams)}`}>
      <CompareView />
    </Answered>
  );
}

/** The query as it came, to return to after signing in. */
function queryOf(given: SearchParams): string {
  const pairs = Object.entries(given).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
