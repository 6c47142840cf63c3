/** Rows for tests of stores: whole, with the fields that a test is about given. */
import type { Batch } from "@/server/domain/batch";
import type { Fact, Link, Observation, Sighting } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import { splitRef } from "@/server/domain/refs";
import type { PlannedRollout, RolloutRecord, RolloutVerdict } from "@/server/domain/rollout";
import type { RunSettings } from "@/server/domain/run";
import type { BatchCounts, FactRows, Store } from "@/server/domain/store";

export const T0 = Date.UTC(2026, 2, 1, 12);

export const NO_COUNTS: BatchCounts = {
  bytes: 0,
  records: 0,
  observations: 0,
  rollouts: 0,
  routine: 0,
  duplicates: 0,
  rejected: 0,
};

export function madeBatch(given: Partial<Batch> & { id: string }): Batch {
  return {
    digest: null,
    state: "receiving",
    format: "auto",
    run: null,
    source: "file",
    node: null,
    cluster: "default",
    tz: null,
    origin: "fleet",
    receivedAt: T0,
    completedAt: null,
    name: null,
    ...NO_COUNTS,
    ...given,
  };
}

export function madeObservation(given: Partial<Observation> & { key: string }): Observation {
  return {
    refs: ["sandbox:default/s1"],
    at: T0,
    atAssumed: false,
    line: 1,
    cluster: "default",
    run: null,
    node: null,
    source: "execd",
    origin: "fleet",
    text: `text of ${given.key}`,
    label: null,
    evidence: { layer: "execd", kind: "error", message: `text of ${given.key}` },
    class: "exec.spawn_failed",
    rule: "exec.spawn",
    subCause: null,
    confidence: "certain",
    rulesVersion: "1",
    ...given,
  };
}

export function madeLink(from: string, to: string, given: Partial<Link> = {}): Link {
  return { from, to, since: null, until: null, how: "uid", ...given };
}

export function madeFact(ref: string, name: string, value: Fact["value"], given: Partial<Fact> = {}): Fact {
  return { ref, name, value, rank: 1, at: T0, ...given };
}

export function madeRollout(given: Partial<RolloutRecord> & { id: string }): RolloutRecord {
  return {
    group: `group-of-${given.id}`,
    content: `content-of-${given.id}`,
    cluster: "default",
    origin: "fleet",
    source: "gym",
    run: "r1",
    task: "task-1",
    index: 0,
    attempt: 0,
    agent: null,
    startedAt: T0,
    endedAt: T0 + 60_000,
    reward: 1,
    producerPassed: null,
    masked: null,
    scored: true,
    emptyOutput: null,
    hasPatch: null,
    sandboxes: [],
    node: null,
    error: null,
    config: {},
    ...given,
  };
}

export function madeVerdict(of: RolloutRecord, given: Partial<RolloutVerdict> = {}): RolloutVerdict {
  return {
    id: of.id,
    content: of.content,
    group: of.group,
    verdict: "passed",
    effective: true,
    class: null,
    family: null,
    incident: null,
    confidence: null,
    node: null,
    sandbox: null,
    configKey: null,
    suspect: false,
    absorbed: 0,
    at: of.endedAt,
    reason: "Its reward reaches the pass mark.",
    ...given,
  };
}

export function madeIncident(given: Partial<Incident> & { id: string }): Incident {
  const ref = given.ref ?? "sandbox:default/s1";
  const { kind, id } = splitRef(ref);
  return {
    ref,
    subject: { kind, id },
    class: "pod.oom_killed",
    family: "oom",
    outcome: "fatal",
    confidence: "certain",
    cluster: "default",
    origin: "fleet",
    node: null,
    run: null,
    rollout: null,
    sandbox: null,
    pod: null,
    configKey: null,
    source: "kubectl",
    hits: { sandboxes: 1, rollouts: 0 },
    firstAt: T0,
    lastAt: T0,
    attempts: 1,
    atLeast: false,
    evidence: 1,
    keys: ["k1"],
    rule: null,
    subCause: null,
    symptoms: [],
    summary: "Killed for memory",
    partOf: null,
    rulesVersion: "1",
    ...given,
  };
}

export function madeSighting(given: Partial<Sighting>): Sighting {
  return { ref: "pod:default/p1", run: null, node: null, format: "execd", hour: T0, lines: 10, ...given };
}

export function madePlan(group: string, given: Partial<PlannedRollout> = {}): PlannedRollout {
  return { run: "r1", task: "task-1", index: 0, group, ...given };
}

export function madeSettings(given: Partial<RunSettings> & { id: string }): RunSettings {
  const empty = { name: null, planned: null, config: {}, notes: null, labels: {}, aliases: [], endedAt: null };
  return { ...empty, passAt: 1, updatedAt: T0, ...given };
}

export function rowsOf(given: Partial<FactRows>): FactRows {
  const none = { observations: [], links: [], facts: [], rollouts: [], planned: [], sightings: [], rejects: [] };
  return { ...none, archive: [], touched: [], ...given };
}

/** Opens a batch and appends these rows to it. */
export async function deliver(store: Store, batch: Partial<Batch> & { id: string }, rows: Partial<FactRows>) {
  await store.openBatch(madeBatch(batch));
  return store.append(batch.id, rowsOf(rows), NO_COUNTS);
}

/** A delivery that is over: what is still coming in stays when its run or origin goes. */
export async function deliverWhole(store: Store, batch: Partial<Batch> & { id: string }, rows: Partial<FactRows>) {
  const appended = await deliver(store, batch, rows);
  await store.closeBatch(batch.id, `digest of ${batch.id}`, "gym", T0);
  return appended;
}

/** Appends these rollouts and gives each a verdict. */
export async function deliverJudged(
  store: Store,
  batchId: string,
  judged: readonly (readonly [RolloutRecord, Partial<RolloutVerdict>])[],
): Promise<void> {
  await deliver(store, { id: batchId }, { rollouts: judged.map(([record]) => record) });
  const verdicts = judged.map(([record, verdict]) => madeVerdict(record, verdict));
  const groups = [...new Set(verdicts.map((one) => one.group))];
  await store.settle({ refs: [], subjects: [], incidents: [], groups, verdicts, queue: [] });
}

export async function settleIncidents(store: Store, incidents: Incident[]): Promise<void> {
  const subjects = [...new Set(incidents.map((one) => one.ref))];
  await store.settle({ refs: [], subjects, incidents, groups: [], verdicts: [], queue: [] });
}
