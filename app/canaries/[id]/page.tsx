import type { Metadata } from "next";
import { Answered, known } from "@/app/_client/prefetch";
import type { CanaryAnswer } from "@/server/domain/canary";
import { askCanaries } from "../canary-questions";
import { CanaryView } from "./canary-view";

interface CanaryPageProps {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: CanaryPageProps): Promise<Metadata> {
  const id = decodeURIComponent((await params).id);
  const run = await known<CanaryAnswer>(askCanaries.run(id));
  return { title: run === null ? `Canary ${id}` : `${run.plan} on ${run.target}` };
}

export default async function CanaryPage({ params }: CanaryPageProps) {
  const given = (await params).id;
  const id = decodeURIComponent(given);
  return (
    <Answered questions={[askCanaries.run(id)]} path={`/canaries/${given}`}>
      <CanaryView id={id} />
    </Answered>
  );
}
