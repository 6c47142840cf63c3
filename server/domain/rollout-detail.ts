/** `GET /rollouts/{id}`: the death certificate, one rollout with everything known about it, by time. */
import type { EvidenceLine, IncidentAnswer, RolloutAnswer } from "./answers";
import type { FACT_RANK, Link } from "./facts";
import type { FlatConfig } from "./rollout";

/** A sandbox that a rollout used, with what Kubernetes and logs say of it (names as in `Fact`; times in epoch ms). */
export interface SandboxAnswer {
  id: string;
  pods: string[];
  facts: Record<string, string | number | boolean>;
  /** What ties the rollout to it; null where only its time and instance do. */
  tie: Link["how"] | null;
  /** Who named its node, and what ties the pod to the sandbox where a pod did; null while the node is not known. */
  nodeSaid: { by: keyof typeof FACT_RANK; pod: Link["how"] | null } | null;
}

/** How far a source's clock lies from another's, from what both say of the same events of this rollout. */
export interface SourceClock {
  layer: string;
  source: string;
  reference: { layer: string; source: string };
  /** Median of (its time − the reference's); the way of the message is in it. */
  offsetMs: number;
  spreadMs: number;
  pairs: number;
  /** A second where one of the two writes whole seconds. */
  resolutionMs: number;
  /** The offset is more than the resolution explains. */
  apart: boolean;
}

/** A line of the timeline with the time since the line before it; null for the first, and for lines without a time. */
export interface TimelineLine extends EvidenceLine {
  gapMs: number | null;
}

export interface RolloutDetail extends RolloutAnswer {
  config: FlatConfig;
  incidents: IncidentAnswer[];
  /** Other attempts at the same task and index. */
  siblings: RolloutAnswer[];
  sandboxes: SandboxAnswer[];
  timeline: TimelineLine[];
  clocks: SourceClock[];
  /** More evidence exists than the timeline holds. */
  truncated: boolean;
}
