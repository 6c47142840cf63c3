import type { Evidence } from "./evidence";
import type { Ref } from "./refs";
import type { ClassId, Confidence, Origin } from "./taxonomy-words";

/**
 * What ingest appends. Every row belongs to the batch that brought it, and the same row may be brought by several
 * batches: readers drop the repeats by `key`, so that undoing one batch leaves what the others said.
 */

/** Typed evidence about one or more subjects, with the class that the rules gave it. */
export interface Observation {
  /** Natural key: hash of stream, record time, text and position (design.md §5). */
  key: string;
  /** What it is about; the first is the subject it may become an incident of, the others read it as context. */
  refs: Ref[];
  /** Epoch ms of the record; null when the record carries no time. */
  at: number | null;
  /** The time was naive (taken in `tz`) or lacked a year. */
  atAssumed: boolean;
  /** Line in its delivery, 1-based: orders records of equal or no time, never part of the key. */
  line: number;
  /** Which record of that line, as the archive numbers them; missing = 0. */
  part?: number;
  cluster: string;
  run: string | null;
  node: string | null;
  source: string;
  origin: Origin;
  /** The record's text: redacted, ≤ 4 000 characters. */
  text: string;
  /** Short label that equal events share, e.g. `CommandExecError: 1`. */
  label: string | null;
  evidence: Evidence;
  /** null: no failure (a success, a lifecycle fact, context). */
  class: ClassId | null;
  rule: string | null;
  subCause: string | null;
  confidence: Confidence | null;
  rulesVersion: string;
}

/** `from` is the same thing as, or a part of, `to` — always towards the sandbox: ip → pod → sandbox, rollout → sandbox. */
export interface Link {
  from: Ref;
  to: Ref;
  /** Epoch ms between which it holds; null = open. Pool pods and IPs are reused: attribute by interval. */
  since: number | null;
  until: number | null;
  how: "label" | "uid" | "name" | "ip" | "text" | "record" | "annotation";
}

/** One fact about a thing. Of several the highest rank wins, then the latest `at`, then the greatest value: never the last arrival. */
export interface Fact {
  ref: Ref;
  /** `node`, `run`, `image`, `memoryLimit` (bytes), `memoryRequest`, `cpuLimit` (cores), `cpuRequest`, `createdAt`, `readyAt`, `endedAt` (epoch ms), `ttlS`, `phase`, `pool`, `podName`, `instance`, `condition.<Type>` … */
  name: string;
  value: string | number | boolean;
  rank: number;
  at: number | null;
}

/** Trust in a source of facts: what Kubernetes says beats what a log envelope says beats what text says. */
export const FACT_RANK = { text: 1, envelope: 2, server: 3, event: 4, kubernetes: 5 } as const;

/** Lines that were read and need no row of their own, counted per thing and hour. Never enters a rate. */
export interface Sighting {
  ref: Ref;
  run: string | null;
  node: string | null;
  format: string;
  /** Epoch ms of the hour; null for records without a time. */
  hour: number | null;
  lines: number;
}

export type RejectCode =
  | "invalid_json"
  | "invalid_utf8"
  | "invalid_type"
  | "incomplete"
  | "too_large"
  | "unknown_format"
  | "missing_field"
  | "unreadable";

/** A record that could not be read: kept and shown, never dropped in silence. */
export interface Reject {
  /** 1-based line of the decoded body; 0 where the body has no lines. */
  line: number;
  /** Which record of that line; null or missing: none that a format was asked to read. */
  part?: number | null;
  code: RejectCode;
  /** Why, with the field's path and the offending value's type. */
  message: string;
  /** Start of the record, redacted, ≤ 500 characters. */
  sample: string;
}
