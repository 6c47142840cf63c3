/** The families of failure as charts show them: order, name, letter. Colours and textures are in marks.css. */
import type { FamilyCounts } from "@/server/domain/answers";
import type { Family } from "@/server/domain/taxonomy-words";

export type CountedFamily = keyof FamilyCounts;

export const FAMILY_ORDER: readonly CountedFamily[] = [
  "oom",
  "disconnect",
  "proxy",
  "startup",
  "scheduling",
  "node",
  "other",
];

export const FAMILY_NAME: Record<Family, string> = {
  oom: "Out of memory",
  disconnect: "Disconnect",
  proxy: "Proxy",
  startup: "Startup",
  scheduling: "Scheduling",
  node: "Node",
  other: "Other",
  none: "Not infrastructure",
};

/** Stands in the mark where there is no room for the name. */
export const FAMILY_LETTER: Record<CountedFamily, string> = {
  oom: "M",
  disconnect: "D",
  proxy: "P",
  startup: "S",
  scheduling: "C",
  node: "N",
  other: "O",
};

export interface FamilyPart {
  family: CountedFamily;
  n: number;
  /** Of all parts together, 0–1. */
  share: number;
}

/** Families that have any, in the fixed order, so that a family keeps its place from row to row. */
export function familyParts(counts: FamilyCounts): FamilyPart[] {
  const total = familyTotal(counts);
  return FAMILY_ORDER.filter((family) => counts[family] > 0).map((family) => ({
    family,
    n: counts[family],
    share: counts[family] / total,
  }));
}

export function familyTotal(counts: FamilyCounts): number {
  return FAMILY_ORDER.reduce((sum, family) => sum + counts[family], 0);
}

/** `27 out of memory, 7 disconnect`; `none` when there are none. */
export function familyText(counts: FamilyCounts): string {
  const parts = familyParts(counts).map(({ family, n }) => `${n} ${FAMILY_NAME[family].toLowerCase()}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Adds up what several rows lost, by family. */
export function sumFamilies(rows: readonly FamilyCounts[]): FamilyCounts {
  const sum: FamilyCounts = { disconnect: 0, proxy: 0, oom: 0, startup: 0, scheduling: 0, node: 0, other: 0 };
  for (const row of rows) for (const family of FAMILY_ORDER) sum[family] += row[family];
  return sum;
}
