import type { ArchiveFilter, StoredBlock } from "./archive";
import type { Batch, DeliveryParams } from "./batch";
import type { Control } from "./control";
import type { BatchFilter, ObservationFilter, SightingFilter } from "./evidence-filters";
import type { Fact, Link, Observation, Reject } from "./facts";
import type { Incident } from "./incident";
import type { Judgement, StaleJudgements, StoredObservation } from "./judgement";
import type { Pieces } from "./pieces";
import type { Ref } from "./refs";
import type { Rereads } from "./rereading";
import type { OlderThan } from "./retention";
import type { PlannedRollout, RolloutOutcome, RolloutRecord, RolloutRow, RolloutVerdict } from "./rollout";
import type { RunFacts } from "./run";
import type { BatchCounts, FactRows } from "./segment";
import type { Span } from "./span";
import type { ClassId, Family, Origin, Outcome, Verdict } from "./taxonomy-words";

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
  ids?: string[];
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
  /** Also list those that are part of a shared one (default false). */
  withParts?: boolean;
  /** By the first time. */
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

export interface GroupOptions {
  /** Width of the `bucket` dimension in ms (default one hour); its offset is UTC midnight. */
  bucketMs?: number;
  /** false: incidents without their distinct rollouts and sandboxes, which are then 0; far less to read. */
  hits?: boolean;
}

/**
 * Facts: append-only rows by batch, and what is derived from them, replaced per subject. Stores return counts and rows;
 * rates, intervals and verdicts are computed in `server/`, so that two stores agree by construction.
 * Repeats of an observation, link, fact, rollout or planned row (same key from several batches) count once everywhere:
 * - of observations with one key that one counts which has the greatest `evidence.count` (none = 0), then the latest `at`
 *   (null = earliest), then the least `line`, then the least JSON with sorted keys; filters and refs are judged on it;
 * - of rollouts with one id and content that one with the least JSON with sorted keys;
 * - of facts with one ref and name that one with the highest rank, then the latest `at` (null = earliest), then the
 *   greatest value as text, then as JSON; links are equal when all of their fields are; planned rows by their group.
 * Bulk reads (`…Of`, `…ByKey`, `links…`) come ordered by key, (ref, name), (id, content), id or JSON. Counts come ordered
 * by their key, null first, text by its UTF-8 bytes; without dimensions they are one row, of zeros if nothing fits.
 * A cursor that the same list did not make is `invalid`; a limit is moved into 1–1000.
 * Every method may throw `unavailable`; writes may throw `storage_full`.
 */
export interface Facts extends Pieces, Rereads {
  openBatch(batch: Batch): Promise<void>;
  /** One transaction: durable when it resolves, with `touched` queued for deriving. Counts are added to the batch, and the
   * observations and rollouts that were there already (returned) to its `duplicates`. Throws `not_found`; `conflict` when not receiving. */
  append(batchId: string, rows: FactRows, counts: BatchCounts): Promise<{ duplicates: number }>;
  /** Completes it. When a complete batch has the same digest, drops this one instead and returns the other's id. */
  closeBatch(id: string, digest: string, format: string, completedAt: number): Promise<{ duplicateOf: string | null }>;
  /** Removes the batch and its rows in chunks, and queues what they touched. Throws `not_found`. */
  dropBatch(batchId: string): Promise<void>;
  /** Removes all rows (facts and settings) of a run's labels, whatever batch brought them, and queues what they touched.
   * Batches delivered for one of these labels go whole; others keep their other rows and forget their digest. Batches that
   * are receiving, or are opened meanwhile, keep their rows, as if they came after it. */
  dropRun(runs: string[]): Promise<void>;
  /** Removes everything of one origin (the demo fleet): its batches whole, and its observations and rollouts in
   * others; receiving ones as `dropRun`. */
  dropOrigin(origin: Origin): Promise<void>;
  /** Counted observations from before this time, oldest first, the cursor holds while they go; `timed` false: those without a
   * time that came before it, as they came. */
  observationsBefore(before: number, timed: boolean, page: Page): Promise<PageOf<Observation>>;
  countBefore(before: number): Promise<OlderThan>;
  /** Verdicts of rollouts from before this time stand from now on: `settle` leaves their groups alone. */
  freezeBefore(before: number): Promise<void>;
  /** Removes all rows of these observations, and links from, facts about and incidents of these refs: one transaction.
   * Queues nothing and keeps digests: the same bytes stay known. Frozen verdicts lose the link to their incident. */
  dropSubjects(gone: { keys: string[]; refs: Ref[] }): Promise<void>;
  /** Removes archive blocks, sightings and shared incidents from before this time, rejects that came before it, and
   * deliveries that came before it and of which nothing is left. Gives the space back. */
  dropBefore(before: number): Promise<void>;
  batch(id: string): Promise<Batch | null>;
  batchByDigest(digest: string): Promise<Batch | null>;
  /** Newest first (by `receivedAt`, then id, both descending). */
  batches(filter: BatchFilter, page: Page): Promise<PageOf<Batch>>;
  /** By line, then as they came. */
  rejects(batchId: string, page: Page): Promise<PageOf<Reject>>;

  /** Refs queued for deriving, oldest change first; they stay until `settle` has them, and longer if queued again since. */
  unsettled(limit: number): Promise<Ref[]>;
  /** Of those of `refs` (pods, pod names, IPs) whose news is all from a known time: which. A store need not know. */
  newSpans?(refs: Ref[]): Promise<Map<Ref, Span>>;
  /** Replaces all incidents of `subjects` and all verdicts of `groups`, unqueues `refs`, then queues `queue`: one transaction.
   * A verdict lives no longer than the last row of its record; one without a record is not kept. */
  settle(change: {
    refs: Ref[];
    subjects: Ref[];
    incidents: Incident[];
    /** Incident ids that are given up, and which incident took the place of each; that one is no replaced one any more. */
    replaced?: { id: string; by: string }[];
    groups: string[];
    verdicts: RolloutVerdict[];
    queue: Ref[];
  }): Promise<void>;
  /** Which complete deliveries hold observations that were not judged by this version of the rules. */
  judgedOtherwise(version: string): Promise<StaleJudgements>;
  /** Of one delivery every such row, in the order in which they came; the cursor holds while rows are judged anew. */
  rowsJudgedOtherwise(batch: string, version: string, page: Page): Promise<PageOf<StoredObservation>>;
  /** Replaces what was concluded of these rows and queues the refs of those where that changed: one transaction. Rows that have
   * gone meanwhile are left out. `done`: a delivery of which no row is left to be judged. */
  rejudge(version: string, rows: { row: string; judgement: Judgement }[], done: string | null): Promise<void>;
  observationsOf(refs: Ref[]): Promise<Observation[]>;
  observationsByKey(keys: string[]): Promise<Observation[]>;
  /** Where each of these observations stands: the batch opened first of those that brought it, its least line there, and which
   * record of that line it is (missing = 0). */
  observationBatches(keys: string[]): Promise<Map<string, { batch: string; line: number; part?: number }>>;
  linksFrom(refs: Ref[]): Promise<Link[]>;
  linksTo(refs: Ref[]): Promise<Link[]>;
  factsOf(refs: Ref[]): Promise<Fact[]>;
  rolloutsOfGroups(groups: string[]): Promise<RolloutRecord[]>;
  rolloutsOfIds(ids: string[]): Promise<RolloutRecord[]>;
  incidentsOf(subjects: Ref[]): Promise<Incident[]>;
  /** The last of the incidents that took the place of this id, one after the other; null when none did. */
  supersededBy(id: string): Promise<string | null>;

  /** Newest first: by the last time of its lines (by receipt where they have none), then id, both descending. */
  archiveBlocks(filter: ArchiveFilter, page: Page): Promise<PageOf<StoredBlock>>;
  /** The bytes of these blocks; those that are not there are left out. */
  archiveBytes(ids: number[]): Promise<Map<number, Uint8Array>>;
  /** The block that holds this line of a delivery; of several (a document's payloads share a line) the first after `after` (its id). */
  archiveBlockOf(batch: string, line: number, after?: number): Promise<StoredBlock | null>;

  countRollouts(filter: RolloutFilter, by: RolloutDim[], options?: GroupOptions): Promise<RolloutCount[]>;
  /** Newest first (by `at`, then id, then content, all descending; without a time last). */
  listRollouts(filter: RolloutFilter, page: Page): Promise<PageOf<RolloutRow>>;
  /** How every effective rollout of these run labels ended, in the order of `listRollouts`. No labels, no answer. */
  rolloutOutcomes(runs: string[]): Promise<RolloutOutcome[]>;
  /** Counts incidents that are no part of a shared one. Their time is `firstAt`. `sandboxes` are distinct whatever the outcome. */
  countIncidents(filter: IncidentFilter, by: IncidentDim[], options?: GroupOptions): Promise<IncidentCount[]>;
  /** Newest first (by `firstAt`, then id, both descending; without a time last). */
  listIncidents(filter: IncidentFilter, page: Page): Promise<PageOf<Incident>>;
  /** Observations by label, class and kind. */
  countObservations(
    filter: ObservationFilter,
  ): Promise<{ kind: string; label: string | null; class: ClassId | null; n: number }[]>;
  /** Distinct things (pods, or streams where no pod is known) that a format was read from, and the lines read. */
  countSightings(filter: SightingFilter): Promise<{ refs: number; lines: number }>;
  /** Run labels that any rollout, plan, observation or delivery named; newest delivery first, then by label. The origin is the
   * first of `ORIGINS` among them; times span observations and records; `rollouts` are effective ones with a verdict. */
  runFacts(filter: { runs?: string[]; origins?: Origin[] }): Promise<RunFacts[]>;
  /** Planned keys of these run labels that no rollout record answers, by run, task, index. No labels, no answer. */
  missingRollouts(runs: string[], page: Page): Promise<PageOf<PlannedRollout>>;
  countPlanned(runs: string[]): Promise<{ planned: number; missing: number }>;
  /** Distinct node names that facts, observations or rollouts name, with their origin. */
  nodes(filter: { origins?: Origin[] }): Promise<string[]>;
  /** Grows with every change to facts or derived rows; equal versions mean equal answers. Of `runs`: it may stand while
   * only others change; equal versions then mean equal answers to questions about just these labels. */
  dataVersion(runs?: string[]): Promise<number>;
  /** How many refs wait to be derived. */
  unsettledCount(): Promise<number>;
  /** Does the store give freed space back to the disk? Null when it cannot be told. */
  givesSpaceBack(): Promise<boolean | null>;
  /** Size on disk; null when it cannot be told. */
  bytes(): Promise<number | null>;
}

export interface Store extends Facts, Control {
  close(): Promise<void>;
}

export type { BatchCounts, Control, DeliveryParams, FactRows };
