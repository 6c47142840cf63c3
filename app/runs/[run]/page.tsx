import type { Metadata } from "next";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { RunView } from "./run-view";

interface RunPageProps {
  params: Promise<{ run: string }>;
}

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).run) };
}

export default async function RunPage({ params }: RunPageProps) {
  const given = (await params).run;
  const id = decodeURIComponent(given);
  return (
    <Answered questions={[ask.run(id), ask.breakdown(id), ask.nodes(id), ask.execSweep(id)]} path={`/runs/${given}`}>
      <RunView id={id} />
    </Answered>
  );
}
