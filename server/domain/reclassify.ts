/** What better rules would change of what is stored, and how far the change is. JSON shapes; times ISO 8601 UTC. */
import type { ClassId, Verdict } from "./taxonomy-words";

/** Evidence whose class changes. */
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
  state: (typeof RECLASSIFY_STATES)[number];
  /** Observations that other rules judged, counted by delivery: repeats count too. */
  stale: number;
  /** Of what is under way: observations done, and how many there are. */
  done: number;
  total: number;
  startedAt: string | null;
  /** Of the rules and the data as they were when it was made. */
  preview: ReclassifyPreview | null;
  /** The last run of this process. */
  last: { endedAt: string; observations: number; changed: number } | null;
  /** Why the last preview or run ended before its end. */
  problem: string | null;
}

export interface ReclassifyService {
  state(): Promise<ReclassifyAnswer>;
  /** Begins; resolves when it has begun. Throws `conflict` while another is under way. */
  start(what: "preview" | "run"): Promise<ReclassifyAnswer>;
}
