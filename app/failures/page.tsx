import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { dimsOf } from "./dims";
import { FILTER_PARSERS } from "./failure-parsers";
import { FailuresView } from "./failures-view";

export const metadata: Metadata = { title: "Failures" };

const load = createLoader(FILTER_PARSERS);

export default async function FailuresPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { by, ...filter } = await load(searchParams);
  return (
    <Answered
      questions={[ask.failures(dimsOf(by), filter), ask.incidents(filter), ask.runs(), ask.taxonomy()]}
      path="/failures"
    >
      <FailuresView />
    </Answered>
  );
}
