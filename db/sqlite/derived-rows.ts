/** Between derived rows and the words of the domain, both ways. */
import type { Incident } from "@/server/domain/incident";
import { splitRef } from "@/server/domain/refs";
import type { RolloutVerdict, RolloutRow as ShownRollout } from "@/server/domain/rollout";
import { fromTime, type RolloutRow, toRollout, toTime } from "./rows";
import type { incidents, verdicts } from "./schema-derived";

export type IncidentRow = typeof incidents.$inferSelect;
export type VerdictRow = typeof verdicts.$inferSelect;
type New<Row> = Omit<Row, "seq">;

export function fromIncident(incident: Incident): New<IncidentRow> {
  const { subject: _, hits, firstAt, ...rest } = incident;
  return {
    ...rest,
    hitSandboxes: hits.sandboxes,
    hitRollouts: hits.rollouts,
    time: fromTime(firstAt),
    atLeast: incident.atLeast ? 1 : 0,
    keys: JSON.stringify(incident.keys),
    symptoms: JSON.stringify(incident.symptoms),
  };
}

export function toIncident(row: IncidentRow): Incident {
  const { seq: _, hitSandboxes, hitRollouts, time, ...rest } = row;
  const { kind, id } = splitRef(row.ref);
  return {
    ...rest,
    subject: { kind, id },
    family: row.family as Incident["family"],
    outcome: row.outcome as Incident["outcome"],
    confidence: row.confidence as Incident["confidence"],
    origin: row.origin as Incident["origin"],
    hits: { sandboxes: hitSandboxes, rollouts: hitRollouts },
    firstAt: toTime(time),
    atLeast: row.atLeast !== 0,
    keys: JSON.parse(row.keys) as string[],
    symptoms: JSON.parse(row.symptoms) as string[],
  };
}

export function fromVerdict(verdict: RolloutVerdict, record: RolloutRow): New<VerdictRow> {
  const { group, at, ...rest } = verdict;
  return {
    ...rest,
    groupId: group,
    rollout: record.seq,
    run: record.run,
    origin: record.origin,
    task: record.task,
    reward: record.reward,
    masked: record.masked,
    effective: verdict.effective ? 1 : 0,
    suspect: verdict.suspect ? 1 : 0,
    time: fromTime(at),
    frozen: 0,
  };
}

/** The record as pages list it: where record and verdict have a field both, the verdict's. */
export function toShownRollout(record: RolloutRow, verdict: VerdictRow): ShownRollout {
  return {
    ...toRollout(record),
    verdict: verdict.verdict as ShownRollout["verdict"],
    effective: verdict.effective !== 0,
    class: verdict.class,
    family: verdict.family as ShownRollout["family"],
    incident: verdict.incident,
    confidence: verdict.confidence as ShownRollout["confidence"],
    node: verdict.node,
    sandbox: verdict.sandbox,
    configKey: verdict.configKey,
    suspect: verdict.suspect !== 0,
    absorbed: verdict.absorbed,
    at: toTime(verdict.time),
    reason: verdict.reason,
    ...(verdict.frozen === 0 ? {} : { frozen: true }),
  };
}
