/** The built-in rules with the operator's own behind them, which judge only what would be `unknown`. */
import { createHash } from "node:crypto";
import type { Evidence } from "@/server/domain/evidence";
import { BUILT_IN, type Classifier, type Origination } from "../classifier";
import type { OwnMatch, OwnRuleSpec } from "./own-rule";
import { compilePattern, type Pattern } from "./pattern";

/** Own ids are stored and shown under this, so that nobody takes one for a built-in rule. */
export const OWN_PREFIX = "own.";
/** An own rule is one sign, and a person's word that it is enough. */
export const OWN_CONFIDENCE = "likely";

interface OwnRule {
  spec: OwnRuleSpec;
  pattern: Pattern | null;
}

/** `rules` have been checked (`own-check.ts`); one whose pattern is refused throws `PatternError`. */
export function classifierWith(rules: readonly OwnRuleSpec[]): Classifier {
  if (rules.length === 0) return BUILT_IN;
  const own = rules.map((spec): OwnRule => {
    const { regex } = spec.match;
    return { spec, pattern: regex === undefined ? null : compilePattern(regex) };
  });
  return {
    version: `${BUILT_IN.version}+${digest(rules)}`,
    own: rules,
    classify(evidence, from) {
      const found = BUILT_IN.classify(evidence, from);
      if (found.class !== "unknown" || found.rule !== null) return found;
      const held = own.find((rule) => holds(rule, evidence, from));
      if (!held) return found;
      const { id, class: name } = held.spec;
      const isNothing = name === "none";
      const confidence = isNothing ? null : OWN_CONFIDENCE;
      return { class: isNothing ? null : name, rule: `${OWN_PREFIX}${id}`, subCause: null, confidence };
    },
  };
}

function holds({ spec: { match }, pattern }: OwnRule, evidence: Evidence, from: Origination): boolean {
  if (match.source !== undefined && match.source !== from.source) return false;
  if (match.format !== undefined && match.format !== from.format) return false;
  if (match.status !== undefined && match.status !== evidence.status) return false;
  if (match.exception !== undefined && !exceptionsOf(evidence).includes(match.exception)) return false;
  return saysSo(match, pattern, evidence.message);
}

function saysSo(match: OwnMatch, pattern: Pattern | null, message: string | undefined): boolean {
  if (match.contains !== undefined && !message?.includes(match.contains)) return false;
  return pattern === null || (message !== undefined && pattern.test(message));
}

function exceptionsOf({ errorType, errorChain }: Evidence): string[] {
  return [...(errorType === undefined ? [] : [errorType]), ...(errorChain ?? [])];
}

function digest(rules: readonly OwnRuleSpec[]): string {
  const content = rules.map(({ id, match, class: name }) => [id, Object.entries(match).sort(), name]);
  return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 12);
}
