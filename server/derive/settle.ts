/**
 * The bridge between what was appended and what is derived: takes queued refs, gathers their case files,
 * derives incidents and verdicts with the pure functions beside it, and replaces them in one transaction.
 * A crash in between leaves the queue, so the next call does the same again.
 */

import { type Ref, refKind, splitRef } from "@/server/domain/refs";
import type { RolloutRecord } from "@/server/domain/rollout";
import type { Store } from "@/server/domain/store";
import { configKey } from "./config-key";
import { type Gathered, gatherCases, type LabelsOf } from "./gather";
import { type DerivedIncident, type DeriveSettings, deriveIncidents } from "./incidents";
import { mergeFacts, textFact } from "./merge-facts";
import { replacedIds } from "./replaced-ids";
import { directoryOf } from "./run-directory";
import { settleShared, sharedRefsOf } from "./settle-shared";
import { deriveVerdicts, type SandboxOfRollout } from "./verdict";

/** Refs a round, to begin with (a few, since each may have thousands of observations) and at most; the subjects they lead to may be more. */
const FIRST_ROUND = 4;
const MOST_ROUND = 500;
/** Scopes of shared faults a round: many, since those of one hour are read together. */
const SHARED_ROUND = 5_000;
/** What a round holds in memory: it takes fewer refs after one with more observations. */
const MANY_OBSERVATIONS = 4_000;

/** Settles everything queued. Returns how many refs it took. */
export async function settleAll(store: Store): Promise<number> {
  const settings = await deriveSettings(store);
  let taken = 0;
  let round = FIRST_ROUND;
  for (;;) {
    const { refs, shared } = await nextRefs(store, round);
    taken += refs.length + shared.length;
    if (shared.length > 0) {
      await settleShared(store, shared);
      continue;
    }
    if (refs.length === 0) return taken;
    const gathered = await gatherCases(store, refs, settings.labelsOf);
    round = nextRound(round, gathered);
    const before = await store.incidentsOf([...gathered.cases.keys()]);
    const incidents = [...gathered.cases.values()].flatMap((file) => deriveIncidents(file, settings));
    const after = incidents.map((one) => one.incident);
    await store.settle({
      refs,
      subjects: [...gathered.cases.keys()],
      incidents: after,
      replaced: replacedIds(before, after),
      groups: gathered.groups,
      verdicts: verdictsOf(gathered, incidents, settings),
      queue: sharedRefsOf([...before, ...after]),
    });
  }
}

/** Shared faults are looked for once nothing else waits: until then their parts may still change. */
async function nextRefs(store: Store, round: number): Promise<{ refs: Ref[]; shared: Ref[] }> {
  const isShared = (ref: Ref) => refKind(ref) === "shared";
  const others = (refs: Ref[]) => refs.filter((ref) => !isShared(ref));
  const first = others(await store.unsettled(round));
  if (first.length > 0) return { refs: first, shared: [] };
  const waiting = await store.unsettled(SHARED_ROUND);
  const behind = others(waiting);
  return behind.length > 0 ? { refs: behind.slice(0, round), shared: [] } : { refs: [], shared: waiting };
}

function nextRound(round: number, { cases }: Gathered): number {
  let observations = 0;
  for (const file of cases.values()) observations += file.observations.length;
  if (observations > MANY_OBSERVATIONS) return Math.max(1, Math.floor((round * MANY_OBSERVATIONS) / observations));
  return Math.min(MOST_ROUND, observations * 4 < MANY_OBSERVATIONS ? round * 2 : round);
}

/** Queues every rollout of these run labels, after a setting that verdicts depend on changed. */
export async function queueRun(store: Store, runs: string[]): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: { items: RolloutRecord[]; next: string | null } = await store.listRollouts(
      { runs, effectiveOnly: false },
      { limit: 1000, cursor },
    );
    const queue = [...new Set(page.items.map((rollout) => `group:${rollout.cluster}/${rollout.group}`))];
    await store.settle({ refs: [], subjects: [], incidents: [], groups: [], verdicts: [], queue });
    cursor = page.next;
  } while (cursor !== null);
}

async function deriveSettings(store: Store): Promise<DeriveSettings & { labelsOf: LabelsOf }> {
  const { scopeOf } = directoryOf(await store.allRunSettings());
  const settingsOf = (run: string | null) => (run === null ? null : scopeOf(run).settings);
  return {
    labelsOf: (label) => scopeOf(label).labels,
    passRuleOf: (run) => ({ passAt: settingsOf(run)?.passAt ?? 1 }),
    configKeyOf: (rollout) => configKey(settingsOf(rollout.run)?.config ?? {}, rollout.config),
  };
}

function verdictsOf(gathered: Gathered, incidents: readonly DerivedIncident[], settings: DeriveSettings) {
  const byRollout = new Map<string, DerivedIncident[]>();
  for (const one of incidents) {
    const id = one.incident.rollout;
    if (id === null) continue;
    const list = byRollout.get(id);
    if (list) list.push(one);
    else byRollout.set(id, [one]);
  }
  return gathered.groups.flatMap((group) => {
    const attempts = gathered.attemptsOf(group);
    return deriveVerdicts({
      attempts,
      incidents: [...new Set(attempts.map((a) => a.id))].flatMap((id) => byRollout.get(id) ?? []),
      sandboxesOf: (rollout) => sandboxesOf(gathered, rollout),
      settings,
    });
  });
}

function sandboxesOf(gathered: Gathered, rollout: RolloutRecord): SandboxOfRollout[] {
  return gathered.sandboxRefsOf(rollout).map((ref) => {
    const file = gathered.cases.get(ref);
    const times = file?.observations.flatMap((o) => (o.at === null ? [] : [o.at])) ?? [];
    return {
      sandbox: splitRef(ref).id,
      node:
        (file && textFact(mergeFacts(file.facts), "node")) ??
        file?.observations.find((o) => o.node !== null)?.node ??
        null,
      lastEvidenceAt: times.length ? Math.max(...times) : null,
    };
  });
}
