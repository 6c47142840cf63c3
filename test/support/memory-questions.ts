/** Counts and lists of the store in memory. */

import { CoalmineError } from "@/server/domain/errors";
import type { Incident } from "@/server/domain/incident";
import type { PlannedRollout, RolloutRow } from "@/server/domain/rollout";
import {
  type Facts,
  type GroupOptions,
  INCIDENT_DIMS,
  type IncidentFilter,
  ROLLOUT_DIMS,
  type RolloutFilter,
} from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import { compareAll, countedObservations, countedRollouts, groupBy, isIn, pageOf } from "./memory-reads";
import { memoryRunFacts } from "./memory-runs";
import type { Held, Memory } from "./memory-store";

type Questions = Pick<
  Facts,
  | "countRollouts"
  | "listRollouts"
  | "rolloutOutcomes"
  | "countIncidents"
  | "listIncidents"
  | "countObservations"
  | "countSightings"
  | "runFacts"
  | "missingRollouts"
  | "countPlanned"
  | "nodes"
>;

export function memoryQuestions(memory: Memory): Questions {
  return {
    ...rolloutQuestions(memory),
    ...incidentQuestions(memory),
    async countObservations(filter) {
      const rows = countedObservations(memory).filter(
        (o) =>
          isIn(filter.runs, o.run) &&
          isIn(filter.origins, o.origin) &&
          isIn(filter.kinds, o.evidence.kind) &&
          isIn(filter.classes, o.class) &&
          inWindow(o.at, filter),
      );
      return groupBy(rows, (o) => [o.evidence.kind, o.label, o.class]).map(({ key, rows: same }) => ({
        kind: key[0] as string,
        label: key[1] ?? null,
        class: key[2] ?? null,
        n: same.length,
      }));
    },
    async countSightings(filter) {
      const rows = memory.batches
        .filter((one) => isIn(filter.origins, one.batch.origin))
        .flatMap((one) => one.sightings)
        .filter((s) => isIn(filter.runs, s.run) && isIn(filter.formats, s.format) && inWindow(s.hour, filter));
      return { refs: new Set(rows.map((s) => s.ref)).size, lines: sum(rows.map((s) => s.lines)) };
    },
    runFacts: async (filter) => memoryRunFacts(memory, filter, (inner) => shownRollouts(memory, inner).length),
    missingRollouts: async (runs, page) => pageOf(missing(memory, plannedOf(memory, runs)), "missing", page),
    async countPlanned(runs) {
      const planned = plannedOf(memory, runs);
      return { planned: planned.length, missing: missing(memory, planned).length };
    },
    async nodes(filter) {
      const names = memory.batches.flatMap((one) => namedNodes(one));
      const fitting = names.filter((one) => isIn(filter.origins, one.origin)).map((one) => one.node);
      return [...new Set(fitting)].sort((a, b) => compareAll([a], [b]));
    },
  };
}

function namedNodes(one: Held): { node: string; origin: Origin }[] {
  const facts = one.facts.filter((fact) => fact.name === "node");
  return [
    ...facts.map((fact) => ({ node: String(fact.value), origin: one.batch.origin })),
    ...[...one.observations, ...one.rollouts].flatMap((r) =>
      r.node === null ? [] : [{ node: r.node, origin: r.origin }],
    ),
  ];
}

function shownRollouts(memory: Memory, filter: RolloutFilter): RolloutRow[] {
  const rows = countedRollouts(memory).flatMap((record) => {
    const verdict = memory.verdicts.find((v) => v.id === record.id && v.content === record.content);
    if (!verdict) return [];
    return [{ ...record, ...verdict, ...(memory.frozen.has(verdict.group) ? { frozen: true } : {}) }];
  });
  const text = filter.text?.toLowerCase() ?? "";
  return rows
    .filter(
      (r) =>
        isIn(filter.ids, r.id) &&
        (filter.effectiveOnly === false || r.effective) &&
        isIn(filter.runs, r.run) &&
        isIn(filter.origins, r.origin) &&
        isIn(filter.verdicts, r.verdict) &&
        isIn(filter.classes, r.class) &&
        isIn(filter.families, r.family) &&
        isIn(filter.nodes, r.node) &&
        isIn(filter.tasks, r.task) &&
        isIn(filter.configKeys, r.configKey) &&
        inWindow(r.at, filter) &&
        (r.task.toLowerCase().includes(text) || (r.error ?? "").toLowerCase().includes(text)),
    )
    .sort((a, b) => compareAll([b.at, b.id, b.content], [a.at, a.id, a.content]));
}

function rolloutQuestions(memory: Memory): Pick<Questions, "countRollouts" | "listRollouts" | "rolloutOutcomes"> {
  return {
    async countRollouts(filter, by, options) {
      mustKnow(ROLLOUT_DIMS, by, options);
      const keyOf = (r: RolloutRow) =>
        by.map((dim) => {
          if (dim === "bucket") return bucketOf(r.at, options);
          if (dim === "masked") return r.masked === null ? null : String(r.masked);
          return r[dim];
        });
      return groupBy(shownRollouts(memory, filter), keyOf, by.length === 0).map(({ key, rows }) => ({
        key,
        n: rows.length,
        rewarded: rows.filter((r) => r.reward !== null).length,
        rewardSum: sum(rows.map((r) => r.reward ?? 0)),
        passed: rows.filter((r) => r.verdict === "passed").length,
        infraFailed: rows.filter((r) => r.verdict === "infra_failed").length,
        absorbed: sum(rows.map((r) => r.absorbed)),
      }));
    },
    listRollouts: async (filter, page) => pageOf(shownRollouts(memory, filter), "rollouts", page),
    rolloutOutcomes: async (runs) =>
      (runs.length === 0 ? [] : shownRollouts(memory, { runs })).map(({ task, index, verdict, family, reward }) => ({
        task,
        index,
        verdict,
        family,
        reward,
      })),
  };
}

function fittingIncidents(memory: Memory, filter: IncidentFilter): Incident[] {
  return memory.incidents
    .filter(
      (i) =>
        (isIn(filter.runs, i.run) || (filter.orWithoutRun === true && i.run === null)) &&
        isIn(filter.origins, i.origin) &&
        isIn(filter.classes, i.class) &&
        isIn(filter.families, i.family) &&
        isIn(filter.nodes, i.node) &&
        isIn(filter.configKeys, i.configKey) &&
        isIn(filter.sources, i.source) &&
        isIn(filter.outcomes, i.outcome) &&
        isIn(filter.refs, i.ref) &&
        isIn(filter.rollouts, i.rollout) &&
        isIn(filter.ids, i.id) &&
        inWindow(i.firstAt, filter),
    )
    .sort((a, b) => compareAll([b.firstAt, b.id], [a.firstAt, a.id]));
}

function incidentQuestions(memory: Memory): Pick<Questions, "countIncidents" | "listIncidents"> {
  return {
    async countIncidents(filter, by, options) {
      mustKnow(INCIDENT_DIMS, by, options);
      const rows = fittingIncidents(memory, filter).filter((i) => i.partOf === null);
      const keyOf = (i: Incident) => by.map((dim) => (dim === "bucket" ? bucketOf(i.firstAt, options) : i[dim]));
      return groupBy(rows, keyOf, by.length === 0).map(({ key, rows: same }) => {
        const of = (outcome: string) => same.filter((i) => i.outcome === outcome);
        const hit = of("fatal").flatMap((i) => i.rollout ?? []);
        const sandboxes = same.flatMap((i) => (i.sandbox === null ? [] : `${i.cluster}\n${i.sandbox}`));
        return {
          key,
          incidents: same.length,
          fatal: of("fatal").length,
          absorbed: of("absorbed").length,
          teardown: of("teardown").length,
          unknown: of("unknown").length,
          rollouts: options?.hits === false ? 0 : new Set(hit).size,
          sandboxes: options?.hits === false ? 0 : new Set(sandboxes).size,
        };
      });
    },
    listIncidents: async (filter, page) =>
      pageOf(
        fittingIncidents(memory, filter).filter((i) => filter.withParts === true || i.partOf === null),
        "incidents",
        page,
      ),
  };
}

function plannedOf(memory: Memory, runs: readonly string[]): PlannedRollout[] {
  if (runs.length === 0) return [];
  const rows = memory.batches.flatMap((one) => one.planned).filter((plan) => isIn(runs, plan.run));
  const groups = [...new Set(rows.map((plan) => plan.group))];
  return groups
    .map((group) => rows.find((plan) => plan.group === group) as PlannedRollout)
    .sort((a, b) => compareAll([a.run, a.task, a.index, a.group], [b.run, b.task, b.index, b.group]));
}

function missing(memory: Memory, planned: readonly PlannedRollout[]): PlannedRollout[] {
  const answered = new Set(memory.batches.flatMap((one) => one.rollouts).map((r) => r.group));
  return planned.filter((plan) => !answered.has(plan.group));
}

function bucketOf(at: number | null, options: GroupOptions | undefined): string | null {
  const width = options?.bucketMs ?? 3_600_000;
  return at === null ? null : String(Math.floor(at / width) * width);
}

function inWindow(at: number | null, window: { from?: number; to?: number }): boolean {
  if (window.from === undefined && window.to === undefined) return true;
  return at !== null && at >= (window.from ?? Number.NEGATIVE_INFINITY) && at < (window.to ?? Number.POSITIVE_INFINITY);
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function mustKnow(known: readonly string[], by: readonly string[], options: GroupOptions | undefined): void {
  const width = options?.bucketMs ?? 1;
  if (by.every((dim) => known.includes(dim)) && (!by.includes("bucket") || width >= 1)) return;
  throw new CoalmineError("invalid", "No such grouping.");
}
