/** `GET /rollouts/{id}`: the death certificate, one rollout with everything known about it, by time. */
import type { EvidenceLine, IncidentAnswer, RolloutAnswer } from "./answers";
import type { FlatConfig } from "./rollout";

/** A sandbox that a rollout used, with what Kubernetes and logs say of it (names as in `Fact`; times in epoch ms). */
export interface SandboxAnswer {
  id: string;
  pods: string[];
  facts: Record<string, string | number | boolean>;
}

export interface RolloutDetail extends RolloutAnswer {
  config: FlatConfig;
  incidents: IncidentAnswer[];
  /** Other attempts at the same task and index. */
  siblings: RolloutAnswer[];
  sandboxes: SandboxAnswer[];
  timeline: EvidenceLine[];
  /** More evidence exists than the timeline holds. */
  truncated: boolean;
}
