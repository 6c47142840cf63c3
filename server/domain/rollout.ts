import type { Ref } from "./refs";
import type { ClassId, Confidence, Family, Origin, Verdict } from "./taxonomy-words";

export type ConfigValue = string | number | boolean | null;
/** Settings flattened to `key.path → value`. */
export type FlatConfig = Record<string, ConfigValue>;

/** Producers number repeats from 0; indexes from here on are made of a repeat's name, which no two runs share. */
export const NAMED_INDEX_FROM = 1_000_000;

/** One attempt at one task, as its producer recorded it. */
export interface RolloutRecord {
  /** Hash of run label, task, index and attempt. */
  id: string;
  /** Hash of run label, task and index: all attempts of one rollout. */
  group: string;
  /** Hash of the record's content, which tells two records of one id apart. */
  content: string;
  cluster: string;
  origin: Origin;
  source: string;
  /** The run label; null when no source names the run. */
  run: string | null;
  task: string;
  index: number;
  attempt: number;
  agent: string | null;
  /** Epoch ms; null when the record does not say. */
  startedAt: number | null;
  endedAt: number | null;
  reward: number | null;
  /** The producer's own boolean (`resolved`, `is_correct` …); null when it has none. */
  producerPassed: boolean | null;
  /** The producer masks this sample for training; masked is not infra. */
  masked: boolean | null;
  /** The record is scored at all: false for an attempt that the producer set aside without a reward. */
  scored: boolean;
  /** Nothing came back: empty output and no error (suspect). */
  emptyOutput: boolean | null;
  hasPatch: boolean | null;
  sandboxes: string[];
  node: string | null;
  /** The producer's error in words, redacted, ≤ 2 000 characters. */
  error: string | null;
  config: FlatConfig;
}

/** One planned (task, index) of a run; what is planned and has no record is missing. */
export interface PlannedRollout {
  run: string | null;
  task: string;
  index: number;
  group: string;
}

/** What `server/derive/verdict.ts` concludes for one rollout record. */
export interface RolloutVerdict {
  id: string;
  content: string;
  group: string;
  verdict: Verdict;
  /** The one attempt of its group that counts. */
  effective: boolean;
  /** First fatal root class and its family; null when nothing infra ended it. */
  class: ClassId | null;
  family: Family | null;
  incident: string | null;
  confidence: Confidence | null;
  node: string | null;
  sandbox: string | null;
  configKey: string | null;
  /** Failed honestly, as far as the record says, yet with a sign of infrastructure. */
  suspect: boolean;
  absorbed: number;
  /** The time that charts use: the record's end, else its start, else the last evidence of its sandbox; null if none. */
  at: number | null;
  /** Why, in words. */
  reason: string;
}

/** A rollout as pages list it. */
export type RolloutRow = RolloutRecord &
  Omit<RolloutVerdict, "id" | "content" | "group"> & {
    /** Older than the retention: the verdict stands as it was, its evidence may be gone. Absent = no. */
    frozen?: boolean;
  };

export function rolloutRefs(record: Pick<RolloutRecord, "cluster" | "id" | "group">): { rollout: Ref; group: Ref } {
  return { rollout: `rollout:${record.cluster}/${record.id}`, group: `group:${record.cluster}/${record.group}` };
}

/** How a rollout ended, and nothing else of it: what two runs are compared by. */
export type RolloutOutcome = Pick<RolloutRow, "task" | "index" | "verdict" | "family" | "reward">;
