/** The classes, with family, owner and title, and the rules that give them. */
import { OWN_CONFIDENCE, OWN_PREFIX } from "@/server/classify/own/own-classifier";
import type { OwnRuleSpec } from "@/server/classify/own/own-rule";
import { RULES } from "@/server/classify/rules/order";
import { CLASSES } from "@/server/classify/taxonomy";
import type { List } from "@/server/domain/answers";
import type { TaxonomyClass, TaxonomyRule } from "@/server/domain/product-answers";

export function taxonomy(): List<TaxonomyClass> {
  return {
    items: CLASSES.map(({ id, title, family, owner, infra }) => ({ id, title, family, owner, infra })),
    next: null,
  };
}

/** In their order: the first that holds wins, so the operator's own come last. */
export function taxonomyRules(own: readonly OwnRuleSpec[] = []): List<TaxonomyRule> {
  const builtIn = RULES.map(({ id, class: given, subCause, confidence, why }) => {
    return { id, class: given, subCause: subCause ?? null, confidence, why, own: false };
  });
  return { items: [...builtIn, ...own.map(ownRule)], next: null };
}

function ownRule({ id, class: name, why }: OwnRuleSpec): TaxonomyRule {
  const given = name === "none" ? null : name;
  return { id: `${OWN_PREFIX}${id}`, class: given, subCause: null, confidence: OWN_CONFIDENCE, why, own: true };
}
