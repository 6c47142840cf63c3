import type { Observation } from "./facts";
import type { ClassId, Confidence } from "./taxonomy-words";

/** What the rules concluded of one piece of evidence. */
export interface Judgement {
  class: ClassId | null;
  rule: string | null;
  subCause: string | null;
  confidence: Confidence | null;
}

/** A stored row of evidence; the same evidence may have several, one a delivery. `row` means something to its store alone. */
export interface StoredObservation {
  row: string;
  observation: Observation;
}

/** Observations that other rules than today's judged; `observations` may count repeats. */
export interface StaleJudgements {
  /** Deliveries that hold them, oldest first. */
  batches: string[];
  observations: number;
}
