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
  return classes
    .map((known) => ({ known, rules: rules.filter((rule) => rule.class === known.id) }))
    .filter(({ known, rules: own }) =>
      holdsAll([known.id, known.title, known.owner, ...own.flatMap((rule) => [rule.id, rule.why])], text),
    );
}

/** Rules that say that something is no failure, by the same words. */
export function matchingNothings(rules: readonly TaxonomyRule[], text: string | null): TaxonomyRule[] {
  return rules.filter((rule) => rule.class === null && holdsAll([rule.id, rule.why], text));
}

/** Where a class is explained. */
export function classHref(id: string): string {
  return `/reference/classes#${id}`;
}

function holdsAll(said: readonly string[], text: string | null): boolean {
  const words = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const all = said.join(" ").toLowerCase();
  return words.every((word) => all.includes(word));
}
