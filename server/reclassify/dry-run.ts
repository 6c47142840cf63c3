/** Derives again what changed evidence touches, on top of the store and without changing it. */
import { settleAll } from "@/server/derive/settle";
import type { Observation } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import type { Judgement } from "@/server/domain/judgement";
import { type Ref, refKind } from "@/server/domain/refs";
import type { RolloutRow, RolloutVerdict } from "@/server/domain/rollout";
import type { Store } from "@/server/domain/store";

export interface DryRun {
  incidents: { before: Incident | null; after: Incident | null }[];
  rollouts: { before: RolloutRow | null; after: RolloutVerdict }[];
}

type Change = Parameters<Store["settle"]>[0];

/** What settling these refs would replace if evidence were judged so, by its key. Faults shared by several subjects are not looked for. */
export async function dryRun(
  store: Store,
  judgements: ReadonlyMap<string, Judgement>,
  refs: readonly Ref[],
  signal: AbortSignal,
): Promise<DryRun> {
  let queue = refs.filter((ref) => refKind(ref) !== "shared");
  const incidents = new Map<string, DryRun["incidents"][number]>();
  const rollouts = new Map<string, DryRun["rollouts"][number]>();
  const take = async (change: Change): Promise<void> => {
    signal.throwIfAborted();
    const taken = new Set(change.refs);
    queue = queue.filter((ref) => !taken.has(ref));
    for (const before of await store.incidentsOf(change.subjects))
      incidents.set(before.id, { before, after: incidents.get(before.id)?.after ?? null });
    for (const after of change.incidents)
      incidents.set(after.id, { before: incidents.get(after.id)?.before ?? null, after });
    const known = await verdictsOf(store, change.verdicts);
    for (const after of change.verdicts)
      rollouts.set(`${after.id} ${after.content}`, { before: known.get(after.id) ?? null, after });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const asJudged = (one: Observation): Observation => ({ ...one, ...judgements.get(one.key) });
  const seen: Store = {
    ...store,
    observationsOf: async (of) => (await store.observationsOf(of)).map(asJudged),
    observationsByKey: async (keys) => (await store.observationsByKey(keys)).map(asJudged),
    unsettled: async (limit) => queue.slice(0, limit),
    settle: take,
  };
  await settleAll(seen);
  return { incidents: [...incidents.values()], rollouts: [...rollouts.values()] };
}

async function verdictsOf(store: Store, verdicts: readonly RolloutVerdict[]): Promise<Map<string, RolloutRow>> {
  const ids = [...new Set(verdicts.map((one) => one.id))];
  const found = new Map<string, RolloutRow>();
  for (let at = 0; at < ids.length; at += 500) {
    const filter = { ids: ids.slice(at, at + 500), effectiveOnly: false };
    for (const row of (await store.listRollouts(filter, { limit: 1000, cursor: null })).items) found.set(row.id, row);
  }
  return found;
}
