import type { QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { Answered, known } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import type { RunSummary } from "@/server/domain/answers";
import { ROW_PARSERS, rowsAsked } from "./row-parsers";
import { RunView } from "./run-view";

interface RunPageProps {
  params: Promise<{ run: string }>;
  searchParams: Promise<SearchParams>;
}

const load = createLoader(ROW_PARSERS);

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  const id = decodeURIComponent((await params).run);
  return { title: (await known<RunSummary>(ask.run(id)))?.name ?? id };
}

export default async function RunPage({ params, searchParams }: RunPageProps) {
  const given = (await params).run;
  const id = decodeURIComponent(given);
  const filter = await load(searchParams);
  // Which rows are shown first depends on whether any was lost.
  const rows = (client: QueryClient) => {
    const run = client.getQueryData(ask.run(id).queryKey);
    return run === undefined ? [] : [ask.rollouts(run.id, rowsAsked(filter, run.infraFailed?.k ?? 0))];
  };
  return (
    <Answered
      questions={[ask.run(id), ask.breakdown(id), ask.nodes(id), ask.findings(id), ask.execSweep(id)]}
      path={`/runs/${given}`}
      following={rows}
    >
      <RunView id={id} />
    </Answered>
  );
}
