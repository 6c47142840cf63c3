/** Between the words of the domain and the columns of the tables, both ways. */
import type { Batch } from "@/server/domain/batch";
import type { Evidence } from "@/server/domain/evidence";
import type { Fact, Link, Observation } from "@/server/domain/facts";
import type { Ref } from "@/server/domain/refs";
import type { PlannedRollout, RolloutRecord } from "@/server/domain/rollout";
import type { batches, facts, links, observations, planned, rollouts } from "./schema";
import { textHash } from "./text-hash";

export type BatchRow = typeof batches.$inferSelect;
export type ObservationRow = typeof observations.$inferSelect;
export type LinkRow = typeof links.$inferSelect;
export type FactRow = typeof facts.$inferSelect;
export type RolloutRow = typeof rollouts.$inferSelect;
export type PlannedRow = typeof planned.$inferSelect;
type New<Row> = Omit<Row, "seq">;

/** Sorts as older than every time; stands for "no time" in columns that order lists. */
export const NO_TIME = Number.MIN_SAFE_INTEGER;

export function fromFlag(value: boolean | null): number | null {
  return value === null ? null : value ? 1 : 0;
}
export function toFlag(value: number | null): boolean | null {
  return value === null ? null : value !== 0;
}
export function fromTime(at: number | null): number {
  return at ?? NO_TIME;
}
export function toTime(time: number): number | null {
  return time === NO_TIME ? null : time;
}

export function toBatch({ seq: _, rulesVersion: __, ...all }: BatchRow): Batch {
  const { asked: ___, readerVersion: ____, lines: _____, unkept: ______, ...row } = all;
  return row as Batch;
}

/** The message is most often the text itself; it is then stored once, and `true` stands for it. */
function packEvidence(evidence: Evidence, text: string): string {
  return JSON.stringify(evidence.message === text ? { ...evidence, message: true } : evidence);
}

function unpackEvidence(packed: string, text: string): Evidence {
  const { message, ...rest } = JSON.parse(packed) as Omit<Evidence, "message"> & { message?: string | true };
  return message === undefined ? rest : { ...rest, message: message === true ? text : message };
}

export function fromObservation(o: Observation, batch: number): New<ObservationRow> {
  return {
    batch,
    main: 1,
    keyHash: textHash(o.key),
    key: o.key,
    refs: JSON.stringify(o.refs),
    at: o.at,
    atAssumed: o.atAssumed ? 1 : 0,
    line: o.line,
    part: o.part ?? 0,
    cluster: o.cluster,
    run: o.run,
    node: o.node,
    source: o.source,
    origin: o.origin,
    label: o.label,
    kind: o.evidence.kind,
    class: o.class,
    rule: o.rule,
    subCause: o.subCause,
    confidence: o.confidence,
    rulesVersion: o.rulesVersion,
    text: o.text,
    evidence: packEvidence(o.evidence, o.text),
  };
}

export function toObservation(row: ObservationRow): Observation {
  const { seq: _, batch: __, main: ___, keyHash: ____, kind: _____, part, ...rest } = row;
  return {
    ...rest,
    ...(part > 0 && { part }),
    refs: JSON.parse(row.refs) as Ref[],
    atAssumed: row.atAssumed !== 0,
    origin: row.origin as Observation["origin"],
    confidence: row.confidence as Observation["confidence"],
    evidence: unpackEvidence(row.evidence, row.text),
  };
}

export function fromLink(link: Link, batch: number): New<LinkRow> {
  return {
    batch,
    main: 1,
    fromHash: textHash(link.from),
    toHash: textHash(link.to),
    fromRef: link.from,
    toRef: link.to,
    since: link.since,
    until: link.until,
    how: link.how,
  };
}

export function toLink(row: LinkRow): Link {
  return { from: row.fromRef, to: row.toRef, since: row.since, until: row.until, how: row.how as Link["how"] };
}

export function toFact(row: FactRow): Fact {
  return { ref: row.ref, name: row.name, value: JSON.parse(row.value), rank: row.rank, at: row.at };
}

export function fromRollout(r: RolloutRecord, batch: number): New<RolloutRow> {
  const { group, index, ...rest } = r;
  return {
    ...rest,
    batch,
    main: 1,
    groupId: group,
    taskIndex: index,
    producerPassed: fromFlag(r.producerPassed),
    masked: fromFlag(r.masked),
    scored: r.scored ? 1 : 0,
    emptyOutput: fromFlag(r.emptyOutput),
    hasPatch: fromFlag(r.hasPatch),
    sandboxes: JSON.stringify(r.sandboxes),
    config: JSON.stringify(r.config),
  };
}

export function toRollout(row: RolloutRow): RolloutRecord {
  const { seq: _, batch: __, main: ___, groupId, taskIndex, ...rest } = row;
  return {
    ...rest,
    group: groupId,
    index: taskIndex,
    origin: row.origin as RolloutRecord["origin"],
    producerPassed: toFlag(row.producerPassed),
    masked: toFlag(row.masked),
    scored: row.scored !== 0,
    emptyOutput: toFlag(row.emptyOutput),
    hasPatch: toFlag(row.hasPatch),
    sandboxes: JSON.parse(row.sandboxes) as string[],
    config: JSON.parse(row.config) as RolloutRecord["config"],
  };
}

export function toPlanned(row: Pick<PlannedRow, "run" | "task" | "taskIndex" | "groupId">): PlannedRollout {
  return { run: row.run, task: row.task, index: row.taskIndex, group: row.groupId };
}
