import type { Metadata } from "next";
import { Answered } from "@/app/_client/prefetch";
import { askCanaries } from "../canary-questions";
import { CanaryView } from "./canary-view";

interface CanaryPageProps {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: CanaryPageProps): Promise<Metadata> {
  return { title: `Canary ${decodeURIComponent((await params).id)}` };
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
