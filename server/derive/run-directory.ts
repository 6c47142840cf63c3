/** Which run labels are one run: aliases are applied when read, so they hold for old evidence too. */
import type { RunSettings } from "@/server/domain/run";

export interface RunScope {
  id: string;
  /** The run's own label first, then its aliases. */
  labels: string[];
  settings: RunSettings | null;
}

export interface RunDirectory {
  /** The run that a label counts as: itself unless it is an alias. */
  ownerOf(label: string): string;
  scopeOf(label: string): RunScope;
  settings: readonly RunSettings[];
}

/** Aliases of aliases count too; a ring of aliases leaves each of its runs on its own. */
export function directoryOf(settings: readonly RunSettings[]): RunDirectory {
  const byId = new Map(settings.map((one) => [one.id, one]));
  const parent = new Map<string, string>();
  for (const one of settings) for (const alias of one.aliases) if (alias !== one.id) parent.set(alias, one.id);
  const ownerOf = (label: string): string => {
    const seen = new Set([label]);
    let current = label;
    for (let next = parent.get(current); next !== undefined; next = parent.get(current)) {
      if (seen.has(next)) return label;
      seen.add(next);
      current = next;
    }
    return current;
  };
  const labelsOf = new Map<string, string[]>();
  for (const alias of parent.keys()) {
    const owner = ownerOf(alias);
    if (owner !== alias) labelsOf.set(owner, [...(labelsOf.get(owner) ?? []), alias]);
  }
  for (const aliases of labelsOf.values()) aliases.sort();
  return {
    ownerOf,
    scopeOf(label) {
      const id = ownerOf(label);
      return { id, labels: [id, ...(labelsOf.get(id) ?? [])], settings: byId.get(id) ?? null };
    },
    settings,
  };
}
