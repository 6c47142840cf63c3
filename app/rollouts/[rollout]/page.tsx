import type { Metadata } from "next";
import { Answered, known } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import type { RolloutDetail } from "@/server/domain/rollout-detail";
import { RolloutView } from "./rollout-view";

interface RolloutPageProps {
  params: Promise<{ rollout: string }>;
}

export async function generateMetadata({ params }: RolloutPageProps): Promise<Metadata> {
  const detail = await known<RolloutDetail>(ask.rollout(decodeURIComponent((await params).rollout)));
  return { title: detail === null ? "Rollout" : `${detail.task} #${detail.index}` };
}

export default async function RolloutPage({ params }: RolloutPageProps) {
  const given = (await params).rollout;
  const id = decodeURIComponent(given);
  return (
    <Answered questions={[ask.rollout(id)]} path={`/rollouts/${given}`}>
      <RolloutView id={id} />
    </Answered>
  );
}
