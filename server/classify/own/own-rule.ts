/** An operator's own rule: a row like a built-in one, for messages that no built-in rule explains. */
import type { ClassId } from "@/server/domain/taxonomy-words";

/** All that are given must hold; one of contains, regex, exception and status has to be given. */
export interface OwnMatch {
  /** Part of the message, as written. */
  contains?: string;
  /** Holds anywhere in the message (see `pattern-parse.ts`); `(?i)` at its head takes either case. */
  regex?: string;
  /** One of the exception classes of the record. */
  exception?: string;
  /** HTTP status. */
  status?: number;
  /** Exactly what wrote it. */
  source?: string;
  /** Name of the format that read it. */
  format?: string;
}

/** A message, or more of a record than that. Text alone is taken to come with what else the rule asks for. */
export type OwnExample =
  | string
  | { message?: string; exception?: string; status?: number; source?: string; format?: string };

export interface OwnRuleSpec {
  id: string;
  match: OwnMatch;
  /** A class of the taxonomy, or `none`: recognised as no failure. */
  class: ClassId | "none";
  why: string;
  yes: OwnExample[];
  no: OwnExample[];
}

/** One thing that is wrong with a rule. */
export interface OwnRuleProblem {
  rule: string;
  /** `yes 1`, `no 2`, or the field that is wrong. */
  where: string;
  message: string;
}

/** What is said of rules that were tried. */
export interface RulesCheck {
  ok: boolean;
  /** How many were read. */
  rules: number;
  /** What the server would call its rules with them; null when one is wrong. */
  rulesVersion: string | null;
  problems: OwnRuleProblem[];
}

/** One line for each thing that is wrong. */
export function problemText({ rule, where, message }: OwnRuleProblem): string {
  return `rule ${rule}: ${where}: ${message}`;
}
