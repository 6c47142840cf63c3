/** Answer schemas about comparisons of two runs. */
import { z } from "zod";
import type {
  CompareAnswer,
  ConfigDiff,
  ConfigSide,
  MetricComparison,
  RunSide,
  TaskMovement,
} from "@/server/compare/answer";
import { configValue, count, family, mean, rate } from "./words";

const verdict = z.enum(["better", "worse", "no_clear_change", "too_little_data"]);
const judged = { verdict, reason: z.string() };
const maybe = z.number().nullable();
const bounds = z.tuple([z.number(), z.number()]).nullable();

const estimate = z.object({ difference: z.number(), low: maybe, high: maybe, p: maybe, method: z.string() });

const metricValue = z.object({
  value: z.union([rate, mean]),
  method: z.string(),
  naive: z.object({ low: z.number(), high: z.number() }).nullable(),
});

const metric: z.ZodType<MetricComparison> = z
  .object({
    ...judged,
    id: z.enum(["infraRate", "passAt1", "passAt1InfraExcluded", "meanReward", "meanRewardInfraExcluded"]),
    title: z.string(),
    better: z.enum(["lower", "higher"]),
    baseline: metricValue.nullable(),
    candidate: metricValue.nullable(),
    unpaired: estimate.extend({ naive: estimate.nullable() }).nullable(),
    paired: estimate
      .extend({
        pairs: count,
        tasks: count,
        baseline: z.number(),
        candidate: z.number(),
        discordant: z.object({ b: count, c: count }).nullable(),
      })
      .nullable(),
    decidedBy: z.enum(["unpaired", "paired"]),
  })
  .meta({ id: "MetricComparison", description: "Differences are positive where the candidate is better." });

const side: z.ZodType<RunSide> = z
  .object({
    id: z.string(),
    name: z.string(),
    rollouts: count,
    finished: count,
    notScored: count,
    missing: count.nullable(),
    lost: rate.nullable(),
    passAt1Bounds: bounds,
    tasks: count,
    designEffect: maybe,
  })
  .meta({ id: "ComparedRun" });

const configSide: z.ZodType<ConfigSide> = z
  .object({
    requested: configValue,
    effective: configValue,
    silent: z.boolean().meta({ description: "Nobody asked for it: a default applied." }),
    defaultValue: configValue,
    overridden: z.boolean().meta({ description: "Asked for one thing, got another." }),
    varying: z.array(z.object({ value: configValue, n: count })).nullable(),
  })
  .meta({ id: "ConfigSide" });

const configDiff: z.ZodType<ConfigDiff> = z.object({
  changes: z.array(
    z.object({
      key: z.string(),
      baseline: configSide,
      candidate: configSide,
      differs: z.boolean(),
      matters: z.boolean(),
    }),
  ),
  differing: z.array(z.string()),
  confounded: z.boolean(),
  known: z.object({ baseline: z.boolean(), candidate: z.boolean() }),
});

const taskSide = z.object({ rollouts: count, passed: count, infraFailed: count });
const movement: z.ZodType<TaskMovement> = z.object({
  task: z.string(),
  baseline: taskSide,
  candidate: taskSide,
  change: z.number(),
  movement: z.enum(["won", "lost", "same"]),
});

export const compareAnswer: z.ZodType<CompareAnswer> = z
  .object({
    ...judged,
    baseline: side,
    candidate: side,
    sentence: z.string(),
    metrics: z.array(metric),
    families: z.array(
      z.object({
        family: family.exclude(["none"]),
        baseline: rate,
        candidate: rate,
        difference: z.number(),
        low: z.number(),
        high: z.number(),
        p: z.number(),
        q: z.number(),
      }),
    ),
    pairs: z.object({
      shared: count,
      baselineOnly: count,
      candidateOnly: count,
      ambiguous: count,
      tasks: count,
      enough: z.boolean(),
    }),
    detectable: z
      .object({
        decrease: maybe,
        increase: maybe,
        neededPerRun: maybe,
        designEffect: z.number(),
        formula: z.string(),
      })
      .nullable(),
    config: configDiff,
    tasks: z.array(movement),
    movement: z.object({ won: count, lost: count, same: count, baselineOnly: count, candidateOnly: count }),
    notes: z.array(z.string()),
    seed: z.number(),
    resamples: count,
    pending: z
      .boolean()
      .optional()
      .meta({ description: "True while tasks are being resampled: what takes that is missing, ask again." }),
  })
  .meta({ id: "Comparison" });
