/** The first sentence of a node's page. Pure. */
import { count, percent, percentRange, plural } from "@/app/_ui/format";
import type { NodeDetail } from "@/server/domain/node-detail";

/** What was lost there, against what was to be expected. */
export function nodeHeadline({ node, infraFailed, expected }: NodeDetail): string {
  if (infraFailed === null) return `No finished rollout is known to have run on ${node}.`;
  const { k, n, value, low, high } = infraFailed;
  if (k === 0) {
    return `None of ${plural(n, "rollout")} on ${node} was lost to infrastructure (at most ${percent(high)} of such rollouts).`;
  }
  const chance = expected === null ? "" : `, where ${expected.toFixed(1)} were to be expected`;
  return `${count(k)} of ${plural(n, "rollout")} on ${node} ${k === 1 ? "was" : "were"} lost to infrastructure: ${percent(value)} (${percentRange(low, high)})${chance}.`;
}
