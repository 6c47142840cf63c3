/** The classes, with family, owner and title, and the rules that give them. */
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

/** In their order: the first that holds wins. */
export function taxonomyRules(): List<TaxonomyRule> {
  return {
    items: RULES.map(({ id, class: given, subCause, confidence, why }) => ({
      id,
      class: given,
      subCause: subCause ?? null,
      confidence,
      why,
    })),
    next: null,
  };
}
