import type { Batch, DeliveryParams } from "./batch";
import type { Fact, Link, Observation, Reject, Sighting } from "./facts";
import type { Incident } from "./incident";
import type { Ref } from "./refs";
import type { PlannedRollout, RolloutRecord, RolloutRow, RolloutVerdict } from "./rollout";
import type { RunFacts, RunSettings } from "./run";
import type { ClassId, Family, Origin, Outcome, Verdict } from "./taxonomy-words";

/** What one segment of a delivery adds. `touched` are the refs whose subjects must be derived again. */
export interface FactRows {
  observations: Observation[];
  links: Link[];
  facts: Fact[];
  rollouts: RolloutRecord[];
  planned: PlannedRollout[];
  sightings: Sighting[];
  rejects: Reject[];
  touched: Ref[];
}

export interface BatchCounts {
  bytes: number;
  records: number;
  observations: number;
  rollouts: number;
  routine: number;
  duplicates: number;
  rejected: number;
}

export interface Page {
  /** 1–1000. */
  limit: number;
  /** Opaque, from the page before; null = first page. */
  cursor: string | null;
}
export interface PageOf<T> {
  items: T[];
  next: string | null;
}

/** Times are epoch ms, `from` inclusive, `to` exclusive. An empty or missing list does not filter. */
export interface RolloutFilter {
  runs?: string[];
  origins?: Origin[];
  verdicts?: Verdict[];
  classes?: ClassId[];
  families?: Family[];
  nodes?: string[];
  tasks?: string[];
  configKeys?: string[];
  /** Only the attempt that counts (default true). */
  effectiveOnly?: boolean;
  from?: number;
  to?: number;
  /** Substring of task or error, case-insensitive. */
  text?: string;
}

export const ROLLOUT_DIMS = [
  "run",
  "node",
  "configKey",
  "verdict",
  "family",
  "class",
  "task",
  "masked",
  "bucket",
] as const;
export type RolloutDim = (typeof ROLLOUT_DIMS)[number];

/** A group of rollouts: `key` has one value per dimension asked for, in that order (`bucket` as epoch ms text). */
export interface RolloutCount {
  key: (string | null)[];
  n: number;
  /** Of rollouts with a reward: how many, their sum. */
  rewarded: number;
  rewardSum: number;
  passed: number;
  infraFailed: number;
  absorbed: number;
}

export interface IncidentFilter {
  runs?: string[];
  /** Also evidence that no run claims. */
  orWithoutRun?: boolean;
  origins?: Origin[];
  classes?: ClassId[];
  families?: Family[];
  nodes?: string[];
  configKeys?: string[];
  sources?: string[];
  outcomes?: Outcome[];
  refs?: Ref[];
  rollouts?: string[];
  ids?: string[];
  from?: number;
  to?: number;
}

export const INCIDENT_DIMS = ["run", "node", "configKey", "family", "class", "outcome", "source", "bucket"] as const;
export type IncidentDim = (typeof INCIDENT_DIMS)[number];

export interface IncidentCount {
  key: (string | null)[];
  incidents: number;
  fatal: number;
  absorbed: number;
  teardown: number;
  unknown: number;
  /** Distinct rollouts hit by a fatal one. */
  rollouts: number;
  sandboxes: number;
}

export interface ObservationFilter {
  runs?: string[];
  origins?: Origin[];
  kinds?: string[];
  classes?: ClassId[];
  from?: number;
  to?: number;
}

export interface BatchFilter {
  states?: Batch["state"][];
  runs?: string[];
  origins?: Origin[];
}

/** Width of the `bucket` dimension in ms (default one hour); its offset is UTC midnight. */
export interface GroupOptions {
  bucketMs?: number;
}

/**
 * Facts: append-only rows by batch, and what is derived from them, replaced per subject. Stores return counts and rows;
 * rates, intervals and verdicts are computed in `server/`, so that two stores agree by construction.
 * Repeats of an observation, link, fact, rollout or planned row (same key from several batches) count once everywhere.
 * Every method may throw `unavailable`; writes may throw `storage_full`.
 */
export interface Facts {
  openBatch(batch: Batch): Promise<void>;
  /** One transaction: durable when it resolves, with `touched` queued for deriving. Counts are added to the batch. Returns how many observations and rollouts were new. */
  append(batchId: string, rows: FactRows, counts: BatchCounts): Promise<{ duplicates: number }>;
  /** Completes it. When a complete batch has the same digest, drops this one instead and returns the other's id. */
  closeBatch(
    batchId: string,
    digest: string,
    format: string,
    completedAt: number,
  ): Promise<{ duplicateOf: string | null }>;
  /** Removes the batch and its rows in chunks, and queues what they touched. Throws `not_found`. */
  dropBatch(batchId: string): Promise<void>;
  /** Removes all rows (facts and settings) of a run's labels, whatever batch brought them, and queues what they touched. */
  dropRun(runs: string[]): Promise<void>;
  /** Removes everything of one origin (the demo fleet). */
  dropOrigin(origin: Origin): Promise<void>;
  batch(id: string): Promise<Batch | null>;
  batchByDigest(digest: string): Promise<Batch | null>;
  /** Newest first. */
  batches(filter: BatchFilter, page: Page): Promise<PageOf<Batch>>;
  rejects(batchId: string, page: Page): Promise<PageOf<Reject>>;

  /** Refs queued for deriving, oldest first; they stay queued until `settled`. */
  unsettled(limit: number): Promise<Ref[]>;
  /** Replaces all incidents of `subjects` and all verdicts of `groups` and unqueues `refs`, in one transaction. */
  settle(change: {
    refs: Ref[];
    subjects: Ref[];
    incidents: Incident[];
    groups: string[];
    verdicts: RolloutVerdict[];
    queue: Ref[];
  }): Promise<void>;
  observationsOf(refs: Ref[]): Promise<Observation[]>;
  observationsByKey(keys: string[]): Promise<Observation[]>;
  linksFrom(refs: Ref[]): Promise<Link[]>;
  linksTo(refs: Ref[]): Promise<Link[]>;
  factsOf(refs: Ref[]): Promise<Fact[]>;
  rolloutsOfGroups(groups: string[]): Promise<RolloutRecord[]>;
  rolloutsOfIds(ids: string[]): Promise<RolloutRecord[]>;
  incidentsOf(subjects: Ref[]): Promise<Incident[]>;

  countRollouts(filter: RolloutFilter, by: RolloutDim[], options?: GroupOptions): Promise<RolloutCount[]>;
  /** Newest first (by `at`, then id). */
  listRollouts(filter: RolloutFilter, page: Page): Promise<PageOf<RolloutRow>>;
  /** Counts incidents that are no part of a shared one. */
  countIncidents(filter: IncidentFilter, by: IncidentDim[], options?: GroupOptions): Promise<IncidentCount[]>;
  listIncidents(filter: IncidentFilter, page: Page): Promise<PageOf<Incident>>;
  /** Observations by label, class and kind. */
  countObservations(
    filter: ObservationFilter,
  ): Promise<{ kind: string; label: string | null; class: ClassId | null; n: number }[]>;
  /** Distinct things (pods, or streams where no pod is known) that a format was read from, and the lines read. */
  countSightings(filter: {
    runs?: string[];
    origins?: Origin[];
    formats?: string[];
    from?: number;
    to?: number;
  }): Promise<{
    refs: number;
    lines: number;
  }>;
  /** Run labels that any rollout, plan, observation or delivery named; newest first. */
  runFacts(filter: { runs?: string[]; origins?: Origin[] }): Promise<RunFacts[]>;
  /** Planned keys of these run labels that no rollout record answers. */
  missingRollouts(runs: string[], page: Page): Promise<PageOf<PlannedRollout>>;
  countPlanned(runs: string[]): Promise<{ planned: number; missing: number }>;
  /** Distinct node names that facts, observations or rollouts name, with their origin. */
  nodes(filter: { origins?: Origin[] }): Promise<string[]>;
  /** Grows with every change to facts or derived rows; equal versions mean equal answers. */
  dataVersion(): Promise<number>;
}

/** Control: small, transactional. */
export interface Control {
  runSettings(id: string): Promise<RunSettings | null>;
  allRunSettings(): Promise<RunSettings[]>;
  putRunSettings(settings: RunSettings): Promise<void>;
  deleteRunSettings(id: string): Promise<void>;
  /** Small named values (JSON text), e.g. the installation id. */
  setting(name: string): Promise<string | null>;
  putSetting(name: string, value: string): Promise<void>;
}

export interface Store extends Facts, Control {
  close(): Promise<void>;
}

export type { DeliveryParams };
