import type { Ref, RefKind } from "./refs";
import type { ClassId, Confidence, Family, Origin, Outcome } from "./taxonomy-words";

/** One failed operation on one subject, after joining pieces, dropping repeats and folding retries (taxonomy.md §3). */
export interface Incident {
  /** Hash of subject and anchor evidence. */
  id: string;
  ref: Ref;
  subject: { kind: RefKind; id: string };
  class: ClassId;
  family: Family;
  outcome: Outcome;
  confidence: Confidence;
  cluster: string;
  origin: Origin;
  node: string | null;
  run: string | null;
  /** Id of the rollout it happened to; null when unattributed. */
  rollout: string | null;
  sandbox: string | null;
  pod: string | null;
  configKey: string | null;
  source: string;
  hits: { sandboxes: number; rollouts: number };
  firstAt: number | null;
  lastAt: number | null;
  /** Tries of the operation that failed. */
  attempts: number;
  /** `attempts` is a lower bound: the source samples, folds or counts cumulatively. */
  atLeast: boolean;
  /** Number of observations, and the keys of the first 50. */
  evidence: number;
  keys: string[];
  rule: string | null;
  subCause: string | null;
  /** Classes that were folded into this root. */
  symptoms: ClassId[];
  /** Anchor line in short, as text. */
  summary: string;
  /** The shared incident that it is a part of; parts are not counted. */
  partOf: string | null;
  rulesVersion: string;
}
