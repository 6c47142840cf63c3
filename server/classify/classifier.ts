/** What judges a delivery's evidence: the built-in rules, alone or with the operator's own behind them. */
import type { Evidence } from "@/server/domain/evidence";
import { classify, RULES_VERSION } from "./classify";
import type { OwnRuleSpec } from "./own/own-rule";
import type { Classification } from "./rule";

/** Where a piece of evidence was read. */
export interface Origination {
  /** What wrote it, as observations name it. */
  source: string;
  /** Name of the format that read it. */
  format: string;
}

export interface Classifier {
  /** Stored with each observation: rules of another version may judge it otherwise. */
  version: string;
  /** The operator's own rules, which come after the built-in ones; absent: there are none. */
  own?: readonly OwnRuleSpec[];
  /** Never throws. */
  classify(evidence: Evidence, from: Origination): Classification;
}

export const BUILT_IN: Classifier = { version: RULES_VERSION, classify: (evidence) => classify(evidence) };
