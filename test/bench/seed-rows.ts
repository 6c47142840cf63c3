/** The rows of one made-up run: records, sandboxes, evidence, and what deriving would conclude. The same for the same number. Pure. */
import { classInfo } from "@/server/classify/taxonomy";
import { Chance, digitsOf } from "@/server/demo/chance";
import { incidentId } from "@/server/derive/incident-id";
import type { Observation } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import type { RolloutRecord, RolloutVerdict } from "@/server/domain/rollout";
import type { FactRows } from "@/server/domain/store";
import { madeIncident, madeObservation, madeRollout, madeVerdict, rowsOf } from "../store/made-rows";

export const ROLLOUTS_A_RUN = 4000;
export const OBSERVATIONS_A_ROLLOUT = 10;
const ATTEMPTS_A_TASK = 8;
const NODES = 48;
const RUN_MS = 6 * 3_600_000;
const BETWEEN_RUNS_MS = 6 * 3_600_000;
const START = Date.UTC(2026, 5, 1);

/** Shares of rollouts that infrastructure ended, by class; on the bad node each is four times as frequent. */
const LOSSES = [
  ["pod.oom_killed", 0.02],
  ["transport.stale_keepalive", 0.015],
  ["proxy.bind_race", 0.01],
  ["control.create_timeout", 0.005],
] as const;
const BAD_NODE = 7;
const ABSORBED = 0.08;
const COMMAND_FAILED = 0.3;

export interface SeedRows {
  facts: FactRows;
  verdicts: RolloutVerdict[];
  incidents: Incident[];
}

export function seedRunName(run: number): string {
  return `seed-${String(run).padStart(4, "0")}`;
}

/** The newest time of a store of so many runs, epoch ms. */
export function seedEnd(runs: number): number {
  return START + (runs - 1) * BETWEEN_RUNS_MS + RUN_MS;
}

/** Rollouts `from` up to `to` of run number `run`. */
export function seedRows(run: number, from: number, to: number): SeedRows {
  const chance = new Chance(`seed ${run} ${from}`);
  const rows: SeedRows = { facts: rowsOf({}), verdicts: [], incidents: [] };
  for (let i = from; i < to; i++) addRollout(rows, chance, run, i);
  return rows;
}

function addRollout(rows: SeedRows, chance: Chance, run: number, i: number): void {
  const name = seedRunName(run);
  const node = `node-${String(chance.whole(0, NODES - 1)).padStart(3, "0")}`;
  const endedAt = START + run * BETWEEN_RUNS_MS + chance.whole(60_000, RUN_MS - 1);
  const sandbox = digitsOf(`${name}/${i}`, 32);
  const lost = lossOf(chance, node === `node-${String(BAD_NODE).padStart(3, "0")}`);
  const passed = lost === null && chance.next() < 0.3 + 0.4 * (((i / ATTEMPTS_A_TASK) | 0) % 5) * 0.25;
  const record = madeRollout({
    id: digitsOf(`rollout ${name}/${i}`, 20),
    group: digitsOf(`group ${name}/${i}`, 20),
    content: digitsOf(`content ${name}/${i}`, 20),
    run: name,
    task: `task-${String((i / ATTEMPTS_A_TASK) | 0).padStart(4, "0")}`,
    index: i % ATTEMPTS_A_TASK,
    startedAt: endedAt - 600_000,
    endedAt,
    reward: passed ? 1 : 0,
    sandboxes: [sandbox],
    error: lost === null ? null : `the sandbox was lost: ${lost}`,
    config: { "resources.memory_mib": i % 2 === 0 ? 4096 : 8192 },
  });
  const happened = [
    ...(lost === null ? [] : [{ class: lost, outcome: "fatal" as const }]),
    ...(chance.next() < ABSORBED ? [{ class: "transport.connection_reset", outcome: "absorbed" as const }] : []),
    ...(chance.next() < COMMAND_FAILED ? [{ class: "agent.command_failed", outcome: "absorbed" as const }] : []),
  ];
  const observations = observationsOf(
    record,
    node,
    happened.map((one) => one.class),
  );
  const configKey = i % 2 === 0 ? "aaaaaaaaaaaa" : "bbbbbbbbbbbb";
  const incidents = happened.map((one, at) =>
    incidentOf(record, node, configKey, one, observations[at] as Observation),
  );
  rows.facts.rollouts.push(record);
  rows.facts.observations.push(...observations);
  rows.facts.links.push({
    from: `rollout:default/${record.id}`,
    to: `sandbox:default/${sandbox}`,
    since: null,
    until: null,
    how: "record",
  });
  rows.facts.facts.push({ ref: `sandbox:default/${sandbox}`, name: "node", value: node, rank: 5, at: endedAt });
  rows.incidents.push(...incidents);
  rows.verdicts.push(verdictOf(record, { node, configKey, passed, lost, incidents }));
}

function lossOf(chance: Chance, bad: boolean): string | null {
  let drawn = chance.next() / (bad ? 4 : 1);
  for (const [id, share] of LOSSES) {
    if (drawn < share) return id;
    drawn -= share;
  }
  return null;
}

/** Ten lines about the sandbox; the first tell of what happened, the others are the daemon's own. */
function observationsOf(record: RolloutRecord, node: string, classes: readonly string[]): Observation[] {
  const [sandbox = ""] = record.sandboxes;
  return Array.from({ length: OBSERVATIONS_A_ROLLOUT }, (_, i) => {
    const id = classes[i] ?? null;
    const own = id === null || id === "agent.command_failed";
    return madeObservation({
      key: digitsOf(`${sandbox}/${i}`, 32),
      refs: [`sandbox:default/${sandbox}`, `podname:default/sandboxes/${sandbox}-0`],
      at: (record.endedAt ?? 0) - (OBSERVATIONS_A_ROLLOUT - i) * 1000,
      line: i + 1,
      run: record.run,
      node,
      label: own ? "CommandExecError: 1" : null,
      evidence: { layer: "execd", kind: own ? "exec_event" : "error", message: `line ${i} of ${sandbox}` },
      text: `line ${i} of ${sandbox}`,
      class: id,
      rule: id === null ? null : "seed",
    });
  });
}

function incidentOf(
  record: RolloutRecord,
  node: string,
  configKey: string,
  { class: id, outcome }: Pick<Incident, "class" | "outcome">,
  anchor: Observation,
): Incident {
  const [sandbox = null] = record.sandboxes;
  return madeIncident({
    id: incidentId(anchor.refs[0] ?? "", anchor.key),
    ref: anchor.refs[0] ?? "",
    class: id,
    family: classInfo(id).family,
    outcome,
    node,
    run: record.run,
    rollout: record.id,
    sandbox,
    configKey,
    firstAt: anchor.at,
    lastAt: anchor.at,
    keys: [anchor.key],
  });
}

interface Judged {
  node: string;
  configKey: string;
  passed: boolean;
  lost: string | null;
  incidents: readonly Incident[];
}

function verdictOf(record: RolloutRecord, { node, configKey, passed, lost, incidents }: Judged): RolloutVerdict {
  return madeVerdict(record, {
    verdict: lost !== null ? "infra_failed" : passed ? "passed" : "failed",
    class: lost,
    family: lost === null ? null : classInfo(lost).family,
    incident: lost === null ? null : (incidents[0]?.id ?? null),
    confidence: lost === null ? null : "certain",
    node,
    sandbox: record.sandboxes[0] ?? null,
    configKey,
    absorbed: incidents.filter((one) => one.outcome === "absorbed").length,
  });
}
