/**
 * A rule is a row: which typed evidence it judges, the class it gives, why, and examples that prove it both ways.
 * The first rule of the ordered list that matches wins; nothing else in the product classifies.
 */
import type { Evidence } from "@/server/domain/evidence";
import type { ClassId, Confidence } from "@/server/domain/taxonomy-words";

/** A field's test: a regular expression on its text, one of a list, a number range (inclusive), or an exact value. */
export type Test =
  | RegExp
  | readonly (string | number | boolean)[]
  | { min?: number; max?: number }
  | string
  | number
  | boolean;

/** All named fields must be present and satisfy their test; a missing field never does. */
export type Condition = { [F in keyof Evidence]?: Test } & {
  /** durationMs ÷ timeoutMs: a command that ran out its limit is near 1. Absent when either is missing or the limit is 0. */
  elapsedShare?: { min?: number; max?: number };
};

export interface Rule {
  /** `<boundary>.<what>`, stable: it is stored with each observation. */
  id: string;
  /** null: recognised as nothing (a watch that expired), so that no later rule takes it for unknown. */
  class: ClassId | null;
  /** Any of these must hold. */
  when: readonly Condition[];
  /** None of these may hold; they need positive contrary evidence. */
  unless?: readonly Condition[];
  /** Fixed, or the name of the first named group that took part in the matching `message` pattern. */
  subCause?: string;
  confidence: Confidence;
  /** One sentence: why this evidence proves this class. */
  why: string;
  yes: readonly Evidence[];
  no: readonly Evidence[];
}

export interface Classification {
  class: ClassId | null;
  rule: string | null;
  subCause: string | null;
  confidence: Confidence | null;
}

/** How failures of one class fold into incidents (taxonomy.md §3.3). */
export interface Fold {
  by: "none" | "operation" | "stream" | "subject";
  /** Longest silence in ms between two failures of one incident; a success between them ends it too. */
  gapMs: number;
}
