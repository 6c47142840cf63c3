import { percent, rateText } from "@/app/_ui/format";
import type { RunBreakdown } from "@/server/domain/answers";

/** What the losses do to training that compares the rollouts of a task: one lost sample spoils its group. */
export function GroupWaste({ groups }: { groups: RunBreakdown["groups"] | undefined }) {
  if (!groups || groups.spoilt.k === 0) return null;
  return (
    <p className="-mt-5 mb-7 text-small text-mut">
      Of the tasks, taken as groups for training (median {groups.size} rollouts), {rateText(groups.spoilt)} lost a
      sample; had the same losses spread evenly it would be {percent(groups.independent)}.
    </p>
  );
}
