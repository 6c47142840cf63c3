/** What a finding is, and the plain facts of a run that findings are computed from. */
import type { FamilyCounts } from "@/server/domain/answers";
import type { PlanName } from "@/server/domain/canary";
import type { Rate } from "@/server/domain/rate";
import type { ConfigValue, FlatConfig } from "@/server/domain/rollout";
import type { ClassId, Family, Owner } from "@/server/domain/taxonomy-words";

/** `critical`: the run's numbers cannot be used. `major`: it cost rollouts. `minor`: it can, and has not or hardly yet. */
export const SEVERITIES = ["critical", "major", "minor"] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface Estimated {
  estimate: number;
  low: number;
  high: number;
}

/** What a change would bring back. */
export interface WinBack {
  rollouts: Estimated;
  /** In points (hundredths of pass@1); null where pass@1 without the lost rollouts is not known. */
  passAt1Points: Estimated | null;
  /** How the two were computed, in words. */
  formula: string;
}

/** Where the rows behind a finding are: a call under `/api/v1` and its query. */
export interface EvidenceLink {
  label: string;
  path: string;
  query: Record<string, string>;
}

/** What to type or to write, as a difference: old lines out, new lines in. */
export interface Change {
  syntax: "yaml" | "shell";
  /** Where it belongs, in words. */
  file: string;
  lines: { op: "-" | "+"; text: string }[];
}

/** A canary plan that shows whether the change helps; its options are the plan's own. */
export interface CanaryCheck {
  plan: PlanName;
  options: Record<string, unknown>;
}

export interface Finding {
  /** One of its kind a run. */
  id: string;
  run: string;
  title: string;
  severity: Severity;
  /** One sentence with its numbers. */
  text: string;
  /** Rollouts that it took, or whose number or place it leaves in the dark; 0 for a setting that has cost none yet. */
  rolloutsAffected: number;
  winBack: WinBack | null;
  evidence: EvidenceLink[];
  change: Change | null;
  canaryPlan: CanaryCheck | null;
}

/** Incidents of one class in the run. */
export interface ClassFacts {
  class: ClassId;
  title: string;
  family: Family;
  owner: Owner;
  incidents: number;
  fatal: number;
  absorbed: number;
  teardown: number;
  unknown: number;
  /** Rollouts that it ended. */
  rollouts: number;
  /** Of those incidents that were looked at closer: what the evidence says of each. */
  samples: IncidentSample[];
}

/** One incident; null where its evidence does not say. */
export interface IncidentSample {
  fatal: boolean;
  /** From the sandbox being ready, else created, to the failure. */
  afterReadyMs: number | null;
  /** How long the connection had been idle. */
  idleMs: number | null;
  subCause: string | null;
  rule: string | null;
}

export interface ConfigFacts {
  /** Asked for, the same for all rollouts; and what varies, with the rollouts of each value. */
  common: FlatConfig;
  varying: Record<string, { value: ConfigValue; n: number }[]>;
  /** Set, as Kubernetes says, under the names of its facts. */
  effective: FlatConfig;
  /** Each config of the run with what it lost. */
  each: { values: FlatConfig; rollouts: number; byFamily: FamilyCounts }[];
}

export interface NodeFacts {
  node: string;
  verdict: "suspect" | "watch" | "ok" | "too_little_data";
  rollouts: number;
  failures: number;
  expected: number;
  /** Wilson's 95 % interval of its failure rate, fractions. */
  low: number;
  high: number;
  sentence: string;
}

export interface FindingInput {
  run: string;
  ended: boolean;
  rollouts: number;
  finished: number;
  planned: number | null;
  missing: number | null;
  /** The plan names each rollout, so that the missing ones can be listed. */
  missingListed: boolean;
  unattributed: number;
  infraFailed: Rate | null;
  unknownShare: Rate | null;
  /** pass@1 among rollouts that infrastructure left alone, a fraction. */
  passAt1: number | null;
  valid: { ok: boolean; reason: string | null };
  config: ConfigFacts;
  /** Seconds after which a canary saw the server close an idle socket; null when none looked. */
  measuredIdleS: number | null;
  /** Lines that say another transport was used than the one asked for. */
  transportFellBack: number;
  classes: ClassFacts[];
  /** Nodes of this run, judged by this run alone and, where they lost rollouts in it, by all runs together. */
  nodes: { inRun: NodeFacts[]; acrossRuns: NodeFacts[] };
}

/** Pure. Null: nothing to say. */
export type Check = (input: FindingInput) => Finding | null;
