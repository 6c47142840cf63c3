import type { Metadata } from "next";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { askCanaries } from "../canaries/canary-questions";
import { NodesView } from "./nodes-view";

export const metadata: Metadata = { title: "Nodes" };

interface NodesPageProps {
  searchParams: Promise<{ run?: string | string[] }>;
}

export default async function NodesPage({ searchParams }: NodesPageProps) {
  const { run } = await searchParams;
  const chosen = typeof run === "string" ? run : null;
  return (
    <Answered questions={[ask.nodes(chosen), ask.runs(), askCanaries.nodes()]} path="/nodes">
      <NodesView />
    </Answered>
  );
}
