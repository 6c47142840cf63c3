import type { Metadata } from "next";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { RolloutView } from "./rollout-view";

export const metadata: Metadata = { title: "Rollout" };

export default async function RolloutPage({ params }: { params: Promise<{ rollout: string }> }) {
  const given = (await params).rollout;
  const id = decodeURIComponent(given);
  return (
    <Answered questions={[ask.rollout(id)]} path={`/rollouts/${given}`}>
      <RolloutView id={id} />
    </Answered>
  );
}
