/** What better rules would change of what is stored, and how far the change is. JSON shapes; times ISO 8601 UTC. */
import type { ClassId, Verdict } from "./taxonomy-words";

/** Why something of a delivery is not read again: its lines were kept by a version that did not note what that needs; were no record
 * that could be opened; are not kept whole; or it came as records that are not kept as lines (rollouts, objects). */
export const NOT_AGAIN = ["older", "broken", "cut", "records"] as const;
export type NotAgain = (typeof NOT_AGAIN)[number];

/** What reading archived lines again changes. */
export interface RereadCount {
  deliveries: number;
  lines: number;
  /** Evidence that is new, that is no more, and that says otherwise. */
  comes: number;
  goes: number;
  changes: number;
  left: Record<NotAgain, number>;
}

/** Evidence whose class changes; what comes or goes is without a class before or after. */
export interface EvidenceMove {
  before: ClassId | null;
  after: ClassId | null;
  n: number;
  /** A few of them. */
  samples: { at: string | null; source: string; rule: string | null; text: string }[];
}

/** Incidents that change their class; before null: new ones, after null: ones that go. */
export interface IncidentMove {
  before: ClassId | null;
  after: ClassId | null;
  n: number;
  samples: { id: string; run: string | null; summary: string }[];
}

/** Rollouts whose verdict, or the class that it blames, changes. */
export interface RolloutMove {
  before: { verdict: Verdict; class: ClassId | null } | null;
  after: { verdict: Verdict; class: ClassId | null };
  n: number;
  samples: { id: string; run: string | null; task: string; index: number }[];
}

export interface ReclassifyPreview {
  rulesVersion: string;
  /** Null: nothing is to be read again. */
  reread: RereadCount | null;
  /** Deliveries that would be read again, when only the newest of them were looked at: what is said is an estimate. Null: all were. */
  rereadOf: number | null;
  /** Pieces of evidence that were looked at, and those of which the judgement changes. */
  observations: number;
  changed: number;
  evidence: EvidenceMove[];
  incidents: IncidentMove[];
  rollouts: RolloutMove[];
  /** Incidents and rollouts were derived for the first so many changed things only; null: for all. */
  derivedOnly: number | null;
}

export const RECLASSIFY_STATES = ["idle", "previewing", "running"] as const;

export interface ReclassifyAnswer {
  rulesVersion: string;
  readerVersion: string;
  /** Deliveries with archived lines that an older version read, and these lines; `older`: deliveries of which it is too long ago
   * to read them again. */
  unread: { deliveries: number; lines: number; older: number };
  state: (typeof RECLASSIFY_STATES)[number];
  /** Observations that other rules judged, counted by delivery: repeats count too. */
  stale: number;
  /** Of what is under way: lines and observations done, and how many there are. */
  done: number;
  total: number;
  startedAt: string | null;
  /** Of the rules and the data as they were when it was made. */
  preview: ReclassifyPreview | null;
  /** The last run of this process. */
  last: { endedAt: string; observations: number; changed: number; reread: RereadCount | null } | null;
  /** Why the last preview or run ended before its end. */
  problem: string | null;
}

/** One delivery, whichever version read it; else all that need it. */
export interface ReclassifyScope {
  batch: string | null;
}

export interface ReclassifyService {
  state(): Promise<ReclassifyAnswer>;
  /** Begins; resolves when it has begun. Throws `conflict` while another is under way. */
  start(what: "preview" | "run", of?: ReclassifyScope): Promise<ReclassifyAnswer>;
  /** Ends what is under way, between two steps: what is done stands. */
  cancel(): Promise<ReclassifyAnswer>;
}
