/** What canaries answer: targets, plans, runs of plans, their live events, schedules and leftovers. JSON shapes of the API. */
import type { Rate } from "./rate";
import type { ClassId } from "./taxonomy-words";

export const PLAN_NAMES = [
  "smoke",
  "idle-gap",
  "idle-boundary",
  "create-race",
  "burst",
  "memory-limit",
  "node-check",
  "replay",
  "ab",
] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** `interrupted`: the engine went away while it ran. `error`: our own mistake; the target is not to blame. */
export const CANARY_STATES = [
  "queued",
  "running",
  "cancelling",
  "passed",
  "failed",
  "cancelled",
  "interrupted",
  "error",
] as const;
export type CanaryState = (typeof CANARY_STATES)[number];

export function isOver(state: CanaryState): boolean {
  return state !== "queued" && state !== "running" && state !== "cancelling";
}

/** Milliseconds of each phase of one HTTP request; null when it did not happen. */
export type StepPhases = Record<
  "queue" | "resolve" | "connect" | "tls" | "write" | "firstByte" | "transfer",
  number | null
>;

/** One step of a cycle, as the waterfall shows it. */
export interface CanaryStep {
  name: string;
  at: string;
  ms: number;
  ok: boolean;
  class: ClassId | null;
  message: string | null;
  code: string | null;
  status: number | null;
  reused: boolean | null;
  idleMs: number | null;
  ownFault: boolean;
  phases: StepPhases | null;
}

/** One sandbox's life, from create to delete. */
export interface CanaryCycle {
  id: string;
  sandbox: string | null;
  node: string | null;
  at: string;
  ms: number;
  ok: boolean;
  ownFault: boolean;
  cancelled: boolean;
  failed: { step: string; class: ClassId | null; message: string | null } | null;
  /** Sandboxes whose end was not confirmed. */
  left: string[];
}

/** n measured values in ms; null without any. */
export interface Percentiles {
  n: number;
  min: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
}

export interface PlanResult {
  /** null: the plan measures and judges nothing. */
  ok: boolean | null;
  /** One plain sentence computed from the data. */
  sentence: string;
  /** What may be compared with another arm: tries of the target, and those that failed. Own faults are in neither. */
  trials: { n: number; failed: number; ownFaults: number } | null;
  /** The plan's own figures. */
  detail: Record<string, unknown>;
}

export interface CanaryAnswer {
  id: string;
  target: string;
  plan: PlanName;
  options: Record<string, unknown>;
  state: CanaryState;
  /** Who asked: a request, or a schedule by its name. */
  by: string;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** Why it ended as it did, where the result does not say: cut short, an error of ours, what could not be stored. */
  notes: string[];
  result: PlanResult | null;
  /** Newest 500, in order of their ends. */
  cycles: CanaryCycle[];
}

export type CanarySummary = Omit<CanaryAnswer, "cycles" | "options"> & { cycles: number };

/** Live: what happened in one run. `id` grows by one; a reader that returns names the last it saw. */
export interface CanaryEvent {
  id: number;
  at: string;
  type: "state" | "progress" | "step" | "cycle" | "point" | "result" | "note";
  data: Record<string, unknown>;
}

export interface PlanAnswer {
  name: PlanName;
  title: string;
  /** JSON Schema of the options: what a form needs, bounds included. */
  options: Record<string, unknown>;
}

export interface TargetAnswer {
  name: string;
  baseUrl: string;
  mode: "server-proxy" | "direct" | "gateway";
  cluster: string;
  image: string;
  limits: Record<string, string>;
  requests: Record<string, string>;
  labels: Record<string, string>;
  /** A key is configured and present; the key itself is never shown. */
  hasKey: boolean;
  bounds: { maxConcurrent: number; maxCreatesPerMinute: number; maxDurationS: number; plans: PlanName[] };
  /** Its newest run, whatever the plan; null before the first. */
  last: CanarySummary | null;
  /** The newest smoke or scheduled run that said something of the target; null before the first. */
  light: CanarySummary | null;
  running: number;
  queued: number;
}

/** One cycle on a node. */
export interface CanaryOnNode {
  at: string;
  ok: boolean;
  /** Step and class of the first failure. */
  failed: CanaryCycle["failed"];
  run: string;
  plan: PlanName;
  target: string;
}

/** What canaries met on one node. Cycles that plans make fail on purpose, our own faults and cancelled ones are left out. */
export interface CanaryNodeAnswer {
  node: string;
  /** Failed cycles of all. */
  failed: Rate;
  /** Newest first, at most 20. */
  newest: CanaryOnNode[];
}

export interface ScheduleAnswer {
  target: string;
  plan: PlanName;
  every: string;
  options: Record<string, unknown>;
  nextAt: string | null;
  lastRun: string | null;
  /** Times it came due while its last run was still going. */
  skipped: number;
}

/** A canary sandbox that is still there. */
export interface LeftoverAnswer {
  sandbox: string;
  target: string;
  /** `ours`: of this installation, deleted by itself once its engine is gone. `other`: another installation's. `user`: matches a run label. */
  whose: "ours" | "other" | "user";
  run: string | null;
  cycle: string | null;
  createdAt: string | null;
  ageS: number | null;
  /** Shell line that deletes it; the key is read from the environment. */
  command: string;
}

/** Marks a line of evidence that an engine wrote; the number grows when its meaning changes. */
export const CANARY_LINE = "canary/1";
