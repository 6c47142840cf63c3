/** The same finding in several runs as one line. Pure. */
import type { Finding, Severity } from "@/server/findings/finding";

export interface FindingGroup {
  id: string;
  title: string;
  /** The worst that it was. */
  severity: Severity;
  /** Rollouts affected in all of its runs. */
  rollouts: number;
  /** Each with what it cost there, most first. */
  runs: { run: string; rollouts: number }[];
}

const WORST: readonly Severity[] = ["critical", "major", "minor"];

/** By rollouts affected, most first. Findings whose titles differ (a node's name) stay apart. */
export function findingGroups(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const { id, title, severity, run, rolloutsAffected } of findings) {
    const key = `${id} ${title}`;
    const known = groups.get(key) ?? { id: key, title, severity, rollouts: 0, runs: [] };
    known.rollouts += rolloutsAffected;
    known.runs.push({ run, rollouts: rolloutsAffected });
    if (WORST.indexOf(severity) < WORST.indexOf(known.severity)) known.severity = severity;
    groups.set(key, known);
  }
  const all = [...groups.values()];
  for (const group of all) group.runs.sort((a, b) => b.rollouts - a.rollouts);
  return all.sort((a, b) => b.rollouts - a.rollouts || WORST.indexOf(a.severity) - WORST.indexOf(b.severity));
}
