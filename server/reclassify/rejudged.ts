/** A stored observation judged anew. Pure. */
import type { Classifier } from "@/server/classify/classifier";
import type { Observation } from "@/server/domain/facts";
import type { Judgement } from "@/server/domain/judgement";

/** `format`: of its delivery, since rows do not tell their own. */
export function rejudged(classifier: Classifier, observation: Observation, format: string): Judgement {
  const found = classifier.classify(observation.evidence, { source: observation.source, format });
  return { class: found.class, rule: found.rule, subCause: found.subCause, confidence: found.confidence };
}

export function isChanged(observation: Observation, judgement: Judgement): boolean {
  const fields = ["class", "rule", "subCause", "confidence"] as const;
  return fields.some((field) => observation[field] !== judgement[field]);
}
