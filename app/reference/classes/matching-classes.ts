/** Classes with the rules that give them, by what a reader looks for. Pure. */
import type { TaxonomyClass, TaxonomyRule } from "@/server/domain/product-answers";

export interface KnownClass {
  known: TaxonomyClass;
  rules: TaxonomyRule[];
}

/** Classes that hold every word of `text` in id, title, owner or the reasons of their rules. */
export function matchingClasses(
  classes: readonly TaxonomyClass[],
  rules: readonly TaxonomyRule[],
  text: string | null,
): KnownClass[] {
  const words = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return classes
    .map((known) => ({ known, rules: rules.filter((rule) => rule.class === known.id) }))
    .filter(({ known, rules: own }) => {
      const said = [known.id, known.title, known.owner, ...own.flatMap((rule) => [rule.id, rule.why])];
      const all = said.join(" ").toLowerCase();
      return words.every((word) => all.includes(word));
    });
}

/** Where a class is explained. */
export function classHref(id: string): string {
  return `/reference/classes#${id}`;
}
