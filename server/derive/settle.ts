/**
 * The bridge between what was appended and what is derived: takes queued refs, gathers their case files,
 * derives incidents and verdicts with the pure functions beside it, and replaces them in one transaction.
 * A crash in between leaves the queue, so the next call does the same again.
 */

import { refKind, splitRef } from "@/server/domain/refs";
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

/** Refs a round: bounds memory; the subjects they lead to may be more. */
const ROUND = 500;

/** Settles everything queued. Returns how many refs it took. */
export async function settleAll(store: Store): Promise<number> {
  const settings = await deriveSettings(store);
  let taken = 0;
  for (;;) {
    const refs = await store.unsettled(ROUND);
    if (refs.length === 0) return taken;
    taken += refs.length;
    const shared = refs.filter((ref) => refKind(ref) === "shared");
    // Shared faults are looked for once nothing else waits: until then their parts may still change.
    if (shared.length === refs.length) {
      await settleShared(store, shared);
      continue;
    }
    const gathered = await gatherCases(
      store,
      refs.filter((ref) => refKind(ref) !== "shared"),
      settings.labelsOf,
    );
    const before = await store.incidentsOf([...gathered.cases.keys()]);
    const incidents = [...gathered.cases.values()].flatMap((file) => deriveIncidents(file, settings));
    const after = incidents.map((one) => one.incident);
    await store.settle({
      refs: refs.filter((ref) => refKind(ref) !== "shared"),
      subjects: [...gathered.cases.keys()],
      incidents: after,
      replaced: replacedIds(before, after),
      groups: gathered.groups,
      verdicts: verdictsOf(gathered, incidents, settings),
      queue: sharedRefsOf([...before, ...after]),
    });
  }
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
