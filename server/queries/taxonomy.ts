/** The classes, with family, owner and title. */
import { CLASSES } from "@/server/classify/taxonomy";
import type { List } from "@/server/domain/answers";
import type { TaxonomyClass } from "@/server/domain/product-answers";

export function taxonomy(): List<TaxonomyClass> {
  return {
    items: CLASSES.map(({ id, title, family, owner, infra }) => ({ id, title, family, owner, infra })),
    next: null,
  };
}
