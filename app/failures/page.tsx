import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { dimsOf } from "./dims";
import { FILTER_PARSERS } from "./failure-parsers";
import { FailuresView } from "./failures-view";
import { askedOf } from "./scope";

export const metadata: Metadata = { title: "Failures" };

const load = createLoader(FILTER_PARSERS);

export default async function FailuresPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { by, ...given } = await load(searchParams);
  const asked = askedOf(given);
  return (
    <Answered
      questions={[ask.failures(dimsOf(by), asked), ask.incidents(asked), ask.runs(), ask.taxonomy()]}
      path="/failures"
    >
      <FailuresView />
    </Answered>
  );
}
