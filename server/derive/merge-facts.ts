/** Facts merge commutatively: the highest rank wins, then the latest observation, then the greatest value. */
import type { Fact } from "@/server/domain/facts";

export type FactSheet = Map<string, Fact>;

export function beats(a: Fact, b: Fact): boolean {
  if (a.rank !== b.rank) return a.rank > b.rank;
  if ((a.at ?? -1) !== (b.at ?? -1)) return (a.at ?? -1) > (b.at ?? -1);
  return String(a.value) > String(b.value);
}

/** One value per name out of the facts of all refs that are one subject. */
export function mergeFacts(facts: readonly Fact[]): FactSheet {
  const sheet: FactSheet = new Map();
  for (const fact of facts) {
    const known = sheet.get(fact.name);
    if (!known || beats(fact, known)) sheet.set(fact.name, fact);
  }
  return sheet;
}

export function textFact(sheet: FactSheet, name: string): string | null {
  const value = sheet.get(name)?.value;
  return value === undefined ? null : String(value);
}

export function numberFact(sheet: FactSheet, name: string): number | null {
  const value = sheet.get(name)?.value;
  return typeof value === "number" ? value : null;
}
