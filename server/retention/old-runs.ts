/** Runs all of whose labels have nothing newer than a time. */
import type { LabelsOf } from "@/server/derive/gather";
import type { RunSettings } from "@/server/domain/run";
import type { Store } from "@/server/domain/store";

/** Run → its labels. A run without any time counts by its newest delivery; one that only was announced stays. */
export async function runsBefore(
  store: Store,
  settings: readonly RunSettings[],
  before: number,
): Promise<Map<string, string[]>> {
  const all = labelsOf(settings);
  const newest = new Map<string, number>();
  for (const { run, lastAt, receivedAt } of await store.runFacts({})) {
    const owner = all(run)[0] ?? run;
    const at = lastAt ?? receivedAt ?? Number.POSITIVE_INFINITY;
    newest.set(owner, Math.max(newest.get(owner) ?? Number.NEGATIVE_INFINITY, at));
  }
  const old = [...newest].filter(([, at]) => at < before).map(([owner]) => owner);
  return new Map(old.map((owner) => [owner, [...all(owner)]]));
}

/** All labels that are the same run as one, the canonical first. */
export function labelsOf(settings: readonly RunSettings[]): LabelsOf {
  const byLabel = new Map(settings.flatMap((run) => [run.id, ...run.aliases].map((label) => [label, run] as const)));
  return (label) => {
    const run = byLabel.get(label);
    return run ? [run.id, ...run.aliases] : [label];
  };
}
