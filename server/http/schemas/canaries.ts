/** Answer schemas of canaries, for OpenAPI. */
import { z } from "zod";
import {
  CANARY_STATES,
  type CanaryAnswer,
  type CanaryEvent,
  type CanaryNodeAnswer,
  type CanarySummary,
  type LeftoverAnswer,
  PLAN_NAMES,
  type PlanAnswer,
  type ScheduleAnswer,
  type TargetAnswer,
} from "@/server/domain/canary";
import { at, count, rate } from "./words";

const plan = z.enum(PLAN_NAMES);
const texts = z.record(z.string(), z.string());
const data = z.record(z.string(), z.unknown());

const result = z.object({
  ok: z.boolean().nullable(),
  sentence: z.string(),
  trials: z.object({ n: count, failed: count, ownFaults: count }).nullable(),
  detail: data,
});

const cycle = z.object({
  id: z.string(),
  sandbox: z.string().nullable(),
  node: z.string().nullable(),
  at,
  ms: z.number(),
  ok: z.boolean(),
  ownFault: z.boolean(),
  cancelled: z.boolean(),
  failed: z.object({ step: z.string(), class: z.string().nullable(), message: z.string().nullable() }).nullable(),
  left: z.array(z.string()),
});

const common = {
  id: z.string(),
  target: z.string(),
  plan,
  state: z.enum(CANARY_STATES),
  by: z.string(),
  createdAt: at,
  startedAt: at.nullable(),
  endedAt: at.nullable(),
  notes: z.array(z.string()),
  result: result.nullable(),
};

export const canarySummary: z.ZodType<CanarySummary> = z
  .object({ ...common, cycles: count })
  .meta({ id: "CanarySummary" });

export const canary: z.ZodType<CanaryAnswer> = z
  .object({ ...common, options: data, cycles: z.array(cycle) })
  .meta({ id: "Canary" });

export const canaryEvent: z.ZodType<CanaryEvent> = z
  .object({
    id: count,
    at,
    type: z.enum(["state", "progress", "step", "cycle", "point", "result", "note"]),
    data,
  })
  .meta({ id: "CanaryEvent" });

export const planAnswer: z.ZodType<PlanAnswer> = z.object({ name: plan, title: z.string(), options: data });

export const target: z.ZodType<TargetAnswer> = z.object({
  name: z.string(),
  baseUrl: z.string(),
  mode: z.enum(["server-proxy", "direct", "gateway"]),
  cluster: z.string(),
  image: z.string(),
  limits: texts,
  requests: texts,
  labels: texts,
  hasKey: z.boolean(),
  bounds: z.object({
    maxConcurrent: count,
    maxCreatesPerMinute: count,
    maxDurationS: count,
    plans: z.array(plan),
  }),
  last: canarySummary.nullable(),
  light: canarySummary.nullable(),
  running: count,
  queued: count,
});

export const canaryNode: z.ZodType<CanaryNodeAnswer> = z.object({
  node: z.string(),
  failed: rate,
  newest: z.array(
    z.object({ at, ok: z.boolean(), failed: cycle.shape.failed, run: z.string(), plan, target: z.string() }),
  ),
});

export const schedule: z.ZodType<ScheduleAnswer> = z.object({
  target: z.string(),
  plan,
  every: z.string(),
  options: data,
  nextAt: at.nullable(),
  lastRun: z.string().nullable(),
  skipped: count,
});

export const leftover: z.ZodType<LeftoverAnswer> = z.object({
  sandbox: z.string(),
  target: z.string(),
  whose: z.enum(["ours", "other", "user"]),
  run: z.string().nullable(),
  cycle: z.string().nullable(),
  createdAt: at.nullable(),
  ageS: count.nullable(),
  command: z.string(),
});
