/** Incidents by class, with the rollouts whose end each explains; rollouts lost without a class under class null. */
import { classInfo } from "@/server/classify/taxonomy";
import type { ClassCount } from "@/server/domain/answers";
import type { RolloutFilter, Store } from "@/server/domain/store";

/** `filter` must hold what rollouts and incidents share: runs, origins, nodes, times. Most rollouts first. */
export async function classCounts(
  store: Store,
  filter: Pick<RolloutFilter, "runs" | "origins" | "nodes" | "from" | "to">,
): Promise<ClassCount[]> {
  const incidents = await store.countIncidents(filter, ["class"], { hits: false });
  const ended = await store.countRollouts({ ...filter, verdicts: ["infra_failed"] }, ["class"]);
  const counts = new Map<string | null, ClassCount>();
  for (const { key, incidents: n, fatal, absorbed, teardown, unknown } of incidents) {
    const id = key[0] ?? null;
    counts.set(id, { ...blank(id), incidents: n, fatal, absorbed, teardown, unknown });
  }
  for (const { key, n } of ended) {
    const id = key[0] ?? null;
    counts.set(id, { ...(counts.get(id) ?? blank(id)), rollouts: n });
  }
  return [...counts.values()].sort((a, b) => b.rollouts - a.rollouts || b.fatal - a.fatal || b.incidents - a.incidents);
}

function blank(id: string | null): ClassCount {
  const info = id === null ? null : classInfo(id);
  const none = { incidents: 0, fatal: 0, absorbed: 0, teardown: 0, unknown: 0, rollouts: 0 };
  return {
    class: id,
    family: info?.family ?? null,
    title: info?.title ?? "No class",
    owner: info?.owner ?? null,
    ...none,
  };
}
