/** Answer schemas about runs. */
import { z } from "zod";
import type { ClassCount, ExecSweep, RunBreakdown, RunSummary } from "@/server/domain/answers";
import { at, configValue, count, family, familyCounts, flatConfig, mean, origin, owner, rate } from "./words";

const pending = z
  .boolean()
  .optional()
  .meta({ description: "True while what is resampled or tested is still being computed: ask again." });

const configOfRun = z.object({
  common: flatConfig,
  varying: z.record(z.string(), z.array(z.object({ value: configValue, n: count }))),
  keys: z.array(z.object({ key: z.string(), n: count })),
  effective: flatConfig,
});

export const runSummary: z.ZodType<RunSummary> = z
  .object({
    id: z.string(),
    name: z.string(),
    origin,
    labels: z.record(z.string(), z.string()),
    notes: z.string().nullable(),
    aliases: z.array(z.string()),
    startedAt: at.nullable(),
    endedAt: at.nullable(),
    config: configOfRun,
    planned: count.nullable(),
    rollouts: count,
    notFinished: count.nullable(),
    missing: count.nullable(),
    notScored: count,
    masked: count,
    unattributed: count.meta({ description: "Rollouts of which no evidence names the node." }),
    infraFailed: rate.nullable(),
    byFamily: familyCounts,
    absorbed: count,
    unknownShare: rate.nullable(),
    passAt1: z.object({
      asReported: mean.nullable(),
      infraExcluded: mean.nullable(),
      bounds: z.tuple([z.number(), z.number()]).nullable(),
    }),
    meanReward: z.object({ asReported: mean.nullable(), infraExcluded: mean.nullable() }),
    nodes: count,
    suspectNodes: z.array(z.string()),
    valid: z.object({ ok: z.boolean(), reason: z.string().nullable() }),
    sentence: z.string(),
    lead: z.string(),
    pending,
  })
  .meta({ id: "RunSummary" });

export const classCount: z.ZodType<ClassCount> = z.object({
  class: z.string().nullable(),
  family: family.nullable(),
  title: z.string(),
  owner: owner.nullable(),
  incidents: count,
  fatal: count,
  absorbed: count,
  teardown: count,
  unknown: count,
  rollouts: count,
});

export const runBreakdown: z.ZodType<RunBreakdown> = z
  .object({
    classes: z.array(classCount),
    nodes: z.array(
      z.object({
        node: z.string().nullable(),
        rollouts: count,
        infraFailed: rate.nullable(),
        byFamily: familyCounts,
        expected: z.number().nullable(),
      }),
    ),
    configs: z.array(
      z.object({
        configKey: z.string().nullable(),
        differs: flatConfig,
        rollouts: count,
        infraFailed: rate.nullable(),
        byFamily: familyCounts,
      }),
    ),
    timeline: z.object({
      bucketMs: z.number(),
      buckets: z.array(z.object({ at, well: count, byFamily: familyCounts })),
      withoutTime: count,
    }),
    groups: z.object({ spoilt: rate, size: count, independent: z.number() }).nullable(),
    pending,
  })
  .meta({ id: "RunBreakdown" });

export const execSweep: z.ZodType<ExecSweep> = z
  .object({
    run: z.string().nullable(),
    podsRead: count,
    linesRead: count,
    events: z.array(z.object({ label: z.string(), n: count, ownExitCode: z.boolean() })),
    eventsTotal: count,
    faults: z.array(z.object({ kind: z.enum(["spawn", "timeout", "oom", "disconnect"]), n: count })),
    sentence: z.string(),
  })
  .meta({ id: "ExecSweep" });
