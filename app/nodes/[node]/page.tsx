import type { Metadata } from "next";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { askCanaries } from "@/app/canaries/canary-questions";
import { NodeView } from "./node-view";

interface NodePageProps {
  params: Promise<{ node: string }>;
  searchParams: Promise<{ run?: string | string[] }>;
}

export async function generateMetadata({ params }: NodePageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).node) };
}

export default async function NodePage({ params, searchParams }: NodePageProps) {
  const given = (await params).node;
  const { run } = await searchParams;
  const chosen = typeof run === "string" ? run : null;
  const query = chosen === null ? "" : `?${new URLSearchParams({ run: chosen })}`;
  const node = decodeURIComponent(given);
  return (
    <Answered questions={[ask.node(node, chosen), ask.runs(), askCanaries.nodes()]} path={`/nodes/${given}${query}`}>
      <NodeView node={node} />
    </Answered>
  );
}
