/** `GET /nodes/{node}`: what happened on one node, what the permutation test says of it, and what to do. */
import type { ClassCount, EvidenceLine, IncidentAnswer, TimeBucket } from "./answers";
import type { PlanName } from "./canary";
import type { JudgedNode } from "./node-judged";
import type { Rate } from "./rate";
import type { Family } from "./taxonomy-words";

/** One run × config that the node took part in. */
export interface NodeStratum {
  run: string | null;
  configKey: string | null;
  /** Rollouts and failures of the whole stratum whose node is known; `here` and `seen` of them on this node. */
  rollouts: number;
  failures: number;
  here: number;
  seen: number;
}

export interface NodeFamily {
  family: Family;
  k: number;
  expected: number;
  p: number;
  q: number;
  /** Shown, but never makes a node a suspect alone. */
  standsOut: boolean;
}

export interface NodeDetail extends JudgedNode {
  /** Nodes that were tested together with it. */
  tested: number;
  fleetWide: boolean;
  strata: NodeStratum[];
  families: NodeFamily[];
  /** Failures with those within 60 s counted once, and the p-value then. */
  burst: { failures: number; p: number } | null;
  /** Share of rollouts whose node is known, failed and not failed, in the runs that the node took part in. */
  attribution: { failed: Rate | null; notFailed: Rate | null; even: boolean } | null;
  /** How bad a node must be for this many rollouts to show it; null when no excess could have been shown. */
  smallestExcess: { failures: number; rate: number; times: number | null } | null;
  classes: ClassCount[];
  /** By hour. */
  timeline: TimeBucket[];
  conditions: { type: string; status: string; at: string | null }[];
  /** What is told of the node itself: its conditions and events, newest first. */
  events: EvidenceLine[];
  /** Newest incidents on it. */
  newest: IncidentAnswer[];
  /** Failures of our own canaries there; null when none met it. */
  canary: { incidents: number; lastAt: string | null } | null;
  commands: { cordon: string; drain: string; taint: string; uncordon: string };
  check: { plan: PlanName; options: Record<string, unknown> };
  /** The nodes are still being tested: ask again. */
  pending?: boolean;
}
