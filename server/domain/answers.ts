/**
 * What the API answers and pages show: JSON shapes, times as ISO 8601 UTC with milliseconds, rates as fractions.
 * Shared by routes, CLI and pages; described to the world in OpenAPI.
 */
import type { Batch } from "./batch";
import type { Mean, Rate } from "./rate";
import type { ConfigValue, FlatConfig } from "./rollout";
import type { ClassId, Confidence, Family, Origin, Outcome, Owner, Verdict } from "./taxonomy-words";

export interface List<T> {
  items: T[];
  next: string | null;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
}

export type FamilyCounts = Record<Exclude<Family, "none">, number>;

export interface RunSummary {
  id: string;
  name: string;
  origin: Origin;
  labels: Record<string, string>;
  notes: string | null;
  aliases: string[];
  startedAt: string | null;
  endedAt: string | null;
  config: {
    /** Values that all rollouts share. */
    common: FlatConfig;
    varying: Record<string, { value: ConfigValue; n: number }[]>;
    keys: { key: string; n: number }[];
    /** Effective values, from Kubernetes objects, where known. */
    effective: FlatConfig;
  };
  planned: number | null;
  rollouts: number;
  notFinished: number | null;
  missing: number | null;
  notScored: number;
  masked: number;
  unattributed: number;
  infraFailed: Rate | null;
  byFamily: FamilyCounts;
  absorbed: number;
  unknownShare: Rate | null;
  passAt1: { asReported: Mean | null; infraExcluded: Mean | null; bounds: [number, number] | null };
  meanReward: { asReported: Mean | null; infraExcluded: Mean | null };
  nodes: number;
  suspectNodes: string[];
  valid: { ok: boolean; reason: string | null };
  /** One plain sentence computed from the data, and what it leaves out. */
  sentence: string;
  lead: string;
  /** What is resampled or tested (pass@1, mean reward, suspect nodes) is still being computed: ask again. */
  pending?: boolean;
}

export interface ClassCount {
  class: ClassId | null;
  family: Family | null;
  title: string;
  owner: Owner | null;
  incidents: number;
  fatal: number;
  absorbed: number;
  teardown: number;
  unknown: number;
  rollouts: number;
}

export interface NodeShare {
  node: string | null;
  rollouts: number;
  infraFailed: Rate | null;
  byFamily: FamilyCounts;
  /** Failures this node would see at the run's own rate. */
  expected: number | null;
}

export interface ConfigShare {
  configKey: string | null;
  /** Values by which this config differs from the run's others. */
  differs: FlatConfig;
  rollouts: number;
  infraFailed: Rate | null;
  byFamily: FamilyCounts;
}

export interface TimeBucket {
  at: string;
  /** Rollouts that ended in it and were not lost. */
  well: number;
  byFamily: FamilyCounts;
}

export interface RunBreakdown {
  classes: ClassCount[];
  nodes: NodeShare[];
  configs: ConfigShare[];
  timeline: { bucketMs: number; buckets: TimeBucket[]; withoutTime: number };
  /** Tasks with several rollouts as groups: `spoilt` lost at least one, `independent` would if losses did not bunch. */
  groups: { spoilt: Rate; size: number; independent: number } | null;
  /** `expected` of the nodes is still being computed: ask again. */
  pending?: boolean;
}

export interface RolloutAnswer {
  id: string;
  run: string | null;
  task: string;
  index: number;
  attempt: number;
  effective: boolean;
  verdict: Verdict;
  class: ClassId | null;
  family: Family | null;
  confidence: Confidence | null;
  reason: string;
  suspect: boolean;
  masked: boolean | null;
  reward: number | null;
  absorbed: number;
  node: string | null;
  sandbox: string | null;
  configKey: string | null;
  startedAt: string | null;
  endedAt: string | null;
  at: string | null;
  error: string | null;
  incident: string | null;
  agent: string | null;
  /** Older than the retention: the verdict stands as it was, its evidence may be gone. Absent = no. */
  frozen?: boolean;
}

export interface IncidentAnswer {
  id: string;
  class: ClassId;
  title: string;
  family: Family;
  owner: Owner;
  outcome: Outcome;
  confidence: Confidence;
  subject: { kind: string; id: string };
  node: string | null;
  run: string | null;
  rollout: string | null;
  sandbox: string | null;
  pod: string | null;
  origin: Origin;
  hits: { sandboxes: number; rollouts: number };
  firstAt: string | null;
  lastAt: string | null;
  attempts: number;
  atLeast: boolean;
  evidence: number;
  rule: string | null;
  subCause: string | null;
  symptoms: ClassId[];
  summary: string;
}

export interface EvidenceLine {
  at: string | null;
  layer: string;
  kind: string;
  source: string;
  node: string | null;
  text: string;
  class: ClassId | null;
  rule: string | null;
  /** Where its raw line stands, for `GET /lines`; null when it was no line, or its delivery is gone. */
  raw?: { batch: string; line: number; part?: number } | null;
}

export interface IncidentDetail extends IncidentAnswer {
  /** The id asked for was replaced: the id of this incident, which took its place. */
  supersededBy?: string;
  lines: EvidenceLine[];
}

export const FAILURE_DIMS = ["family", "class", "node", "config", "run", "source", "hour", "day"] as const;
export type FailureDim = (typeof FAILURE_DIMS)[number];

export interface FailureGroup {
  key: Partial<Record<FailureDim, string | null>>;
  incidents: number;
  fatal: number;
  absorbed: number;
  teardown: number;
  unknown: number;
  rollouts: number;
  sandboxes: number;
}

export interface NodeAnswer {
  node: string;
  rollouts: number;
  infraFailed: Rate | null;
  expected: number | null;
  byFamily: FamilyCounts;
  incidents: number;
  absorbed: number;
  runs: number;
  lastAt: string | null;
  /** Per hour, for the heatmap: rollouts and lost ones. */
  hours: { at: string; rollouts: number; infraFailed: number }[];
}

export interface ExecSweep {
  run: string | null;
  podsRead: number;
  linesRead: number;
  /** Error events that exec daemons sent, by `ename: evalue`. */
  events: { label: string; n: number; ownExitCode: boolean }[];
  eventsTotal: number;
  /** Faults of the exec layer itself; each zero is said as 0 of `podsRead`. */
  faults: { kind: "spawn" | "timeout" | "oom" | "disconnect"; n: number }[];
  sentence: string;
}

export interface BatchAnswer extends Omit<Batch, "receivedAt" | "completedAt" | "digest"> {
  receivedAt: string;
  completedAt: string | null;
}

export interface Overview {
  empty: boolean;
  demo: boolean;
  sentence: string;
  days: { at: string; rollouts: number; infraFailed: Rate | null; byFamily: FamilyCounts }[];
  runs: RunSummary[];
  nodes: NodeAnswer[];
  deliveries: BatchAnswer[];
  unreadable: number;
  /** The nodes are still being counted or tested: ask again. */
  pending?: boolean;
}
