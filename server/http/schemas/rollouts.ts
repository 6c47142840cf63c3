/** Answer schemas about rollouts, incidents and their evidence. */
import { z } from "zod";
import {
  type EvidenceLine,
  FAILURE_DIMS,
  type FailureGroup,
  type IncidentAnswer,
  type IncidentDetail,
  type RolloutAnswer,
} from "@/server/domain/answers";
import type { RolloutDetail, SourceClock, TimelineLine } from "@/server/domain/rollout-detail";
import { at, confidence, count, family, flatConfig, origin, outcome, owner, verdict } from "./words";

const rolloutFields = z.object({
  id: z.string(),
  run: z.string().nullable(),
  task: z.string(),
  index: z.number(),
  attempt: z.number(),
  effective: z.boolean(),
  verdict,
  class: z.string().nullable(),
  family: family.nullable(),
  confidence: confidence.nullable(),
  reason: z.string(),
  suspect: z.boolean(),
  masked: z.boolean().nullable(),
  reward: z.number().nullable(),
  absorbed: count,
  node: z.string().nullable(),
  sandbox: z.string().nullable(),
  configKey: z.string().nullable(),
  startedAt: at.nullable(),
  endedAt: at.nullable(),
  at: at.nullable(),
  error: z.string().nullable(),
  incident: z.string().nullable(),
  agent: z.string().nullable(),
  frozen: z
    .boolean()
    .optional()
    .meta({ description: "Older than the retention: the verdict stands as it was, its evidence may be gone." }),
});
const linkHow = z.enum(["label", "uid", "name", "ip", "text", "record", "annotation"]);

export const rollout: z.ZodType<RolloutAnswer> = rolloutFields.meta({ id: "Rollout" });

const incidentFields = z.object({
  id: z.string(),
  class: z.string(),
  title: z.string(),
  family,
  owner,
  outcome,
  confidence,
  subject: z.object({ kind: z.string(), id: z.string() }),
  node: z.string().nullable(),
  run: z.string().nullable(),
  rollout: z.string().nullable(),
  sandbox: z.string().nullable(),
  pod: z.string().nullable(),
  origin,
  hits: z.object({ sandboxes: count, rollouts: count }),
  firstAt: at.nullable(),
  lastAt: at.nullable(),
  attempts: count,
  atLeast: z.boolean(),
  evidence: count,
  rule: z.string().nullable(),
  subCause: z.string().nullable(),
  symptoms: z.array(z.string()),
  summary: z.string(),
});
export const incident: z.ZodType<IncidentAnswer> = incidentFields.meta({ id: "Incident" });

const lineFields = z.object({
  at: at.nullable(),
  layer: z.string(),
  kind: z.string(),
  source: z.string(),
  node: z.string().nullable(),
  text: z.string(),
  class: z.string().nullable(),
  rule: z.string().nullable(),
  raw: z
    .object({ batch: z.string(), line: count, part: count.optional() })
    .nullable()
    .optional()
    .meta({ description: "Where its raw line stands: `GET /lines` shows it with its neighbours." }),
});
export const line: z.ZodType<EvidenceLine> = lineFields.meta({ id: "EvidenceLine" });

const timelineLine: z.ZodType<TimelineLine> = lineFields
  .extend({ gapMs: z.number().nullable().meta({ description: "Since the line before." }) })
  .meta({ id: "TimelineLine" });

const clockSource = { layer: z.string(), source: z.string() };
const clock: z.ZodType<SourceClock> = z
  .object({
    ...clockSource,
    reference: z.object(clockSource),
    offsetMs: z.number(),
    spreadMs: z.number(),
    pairs: count,
    resolutionMs: z.number(),
    apart: z.boolean(),
  })
  .meta({ id: "SourceClock" });

export const incidentDetail: z.ZodType<IncidentDetail> = incidentFields
  .extend({ supersededBy: z.string().optional(), lines: z.array(line) })
  .meta({ id: "IncidentDetail" });

export const rolloutDetail: z.ZodType<RolloutDetail> = rolloutFields
  .extend({
    config: flatConfig,
    incidents: z.array(incident),
    siblings: z.array(rollout),
    sandboxes: z.array(
      z.object({
        id: z.string(),
        pods: z.array(z.string()),
        facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
        tie: linkHow.nullable(),
        nodeSaid: z
          .object({ by: z.enum(["text", "envelope", "server", "event", "kubernetes"]), pod: linkHow.nullable() })
          .nullable(),
      }),
    ),
    timeline: z.array(timelineLine),
    clocks: z.array(clock),
    truncated: z.boolean(),
  })
  .meta({ id: "RolloutDetail" });

export const failureGroup: z.ZodType<FailureGroup> = z
  .object({
    key: z.partialRecord(z.enum(FAILURE_DIMS), z.string().nullable()),
    incidents: count,
    fatal: count,
    absorbed: count,
    teardown: count,
    unknown: count,
    rollouts: count,
    sandboxes: count,
  })
  .meta({ id: "FailureGroup" });
