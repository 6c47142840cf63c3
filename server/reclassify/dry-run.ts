/** Derives again what changed evidence touches, on top of the store and without changing it. */
import { settleAll } from "@/server/derive/settle";
import type { Fact, Link, Observation } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import type { Judgement } from "@/server/domain/judgement";
import { type Ref, refKind } from "@/server/domain/refs";
import type { RolloutRow, RolloutVerdict } from "@/server/domain/rollout";
import type { Store } from "@/server/domain/store";

/** What the store would hold otherwise. */
export interface Changes {
  /** By the key of the evidence. */
  judgements: ReadonlyMap<string, Judgement>;
  /** Evidence by its key, as it would be; null: it would go. */
  evidence: ReadonlyMap<string, Observation | null>;
  links: readonly Link[];
  facts: readonly Fact[];
}

export interface DryRun {
  incidents: { before: Incident | null; after: Incident | null }[];
  rollouts: { before: RolloutRow | null; after: RolloutVerdict }[];
}

type Change = Parameters<Store["settle"]>[0];

/** What settling these refs would replace with these changes. Faults shared by several subjects are not looked for. */
export async function dryRun(
  store: Store,
  changes: Changes,
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
  const seen: Store = {
    ...store,
    ...changedReads(store, changes),
    unsettled: async (limit) => queue.slice(0, limit),
    settle: take,
  };
  await settleAll(seen);
  return { incidents: [...incidents.values()], rollouts: [...rollouts.values()] };
}

type Reads = "observationsOf" | "observationsByKey" | "linksFrom" | "linksTo" | "factsOf";

function changedReads(store: Store, { judgements, evidence, links, facts }: Changes): Pick<Store, Reads> {
  const asJudged = (one: Observation): Observation => ({ ...one, ...judgements.get(one.key) });
  const changed = [...evidence.values()].filter((one) => one !== null);
  const byRef = new Map<Ref, Observation[]>();
  for (const one of changed) for (const ref of one.refs) byRef.set(ref, [...(byRef.get(ref) ?? []), one]);
  const standing = (rows: Observation[]) => rows.filter((one) => !evidence.has(one.key)).map(asJudged);
  return {
    observationsOf: async (of) => [
      ...standing(await store.observationsOf(of)),
      ...new Set(of.flatMap((ref) => byRef.get(ref) ?? [])),
    ],
    observationsByKey: async (keys) => [
      ...standing(await store.observationsByKey(keys)),
      ...changed.filter((one) => keys.includes(one.key)),
    ],
    linksFrom: async (refs) => [...(await store.linksFrom(refs)), ...links.filter((one) => refs.includes(one.from))],
    linksTo: async (refs) => [...(await store.linksTo(refs)), ...links.filter((one) => refs.includes(one.to))],
    factsOf: async (refs) =>
      strongest([...(await store.factsOf(refs)), ...facts.filter((one) => refs.includes(one.ref))]),
  };
}

/** One of each name, as stores give them. */
function strongest(facts: readonly Fact[]): Fact[] {
  const best = new Map<string, Fact>();
  for (const fact of facts) {
    const known = best.get(`${fact.ref} ${fact.name}`);
    const isStronger =
      !known || fact.rank > known.rank || (fact.rank === known.rank && (fact.at ?? 0) > (known.at ?? 0));
    if (isStronger) best.set(`${fact.ref} ${fact.name}`, fact);
  }
  return [...best.values()];
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
