/** Runs all of whose labels have nothing newer than a time. */
import type { RunDirectory } from "@/server/derive/run-directory";
import type { Store } from "@/server/domain/store";

/** Run → its labels. A run without any time counts by its newest delivery; one that only was announced stays. */
export async function runsBefore(
  store: Store,
  directory: RunDirectory,
  before: number,
): Promise<Map<string, string[]>> {
  const newest = new Map<string, number>();
  for (const { run, lastAt, receivedAt } of await store.runFacts({})) {
    const owner = directory.ownerOf(run);
    const at = lastAt ?? receivedAt ?? Number.POSITIVE_INFINITY;
    newest.set(owner, Math.max(newest.get(owner) ?? Number.NEGATIVE_INFINITY, at));
  }
  const old = [...newest].filter(([, at]) => at < before).map(([owner]) => owner);
  return new Map(old.map((owner) => [owner, directory.scopeOf(owner).labels]));
}
