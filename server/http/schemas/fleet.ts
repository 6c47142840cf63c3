/** Answer schemas about nodes, deliveries and the product itself. */
import { z } from "zod";
import type { BatchAnswer, Overview } from "@/server/domain/answers";
import { BATCH_STATES, type IngestResult } from "@/server/domain/batch";
import { type JudgedNode, NODE_VERDICTS } from "@/server/domain/node-judged";
import type { Health, TaxonomyClass, TaxonomyRule, UndoAnswer } from "@/server/domain/product-answers";
import type { RejectAnswer } from "@/server/domain/reject-answer";
import { runSummary } from "./runs";
import { at, confidence, count, family, familyCounts, origin, owner, rate } from "./words";

const REJECT_CODES = [
  "invalid_json",
  "invalid_utf8",
  "invalid_type",
  "incomplete",
  "too_large",
  "unknown_format",
  "missing_field",
  "unreadable",
] as const;

const nodeFields = z.object({
  node: z.string(),
  rollouts: count,
  infraFailed: rate.nullable(),
  expected: z.number().nullable(),
  byFamily: familyCounts,
  incidents: count,
  absorbed: count,
  runs: count,
  lastAt: at.nullable(),
  hours: z.array(z.object({ at, rollouts: count, infraFailed: count })),
});

/** A node's counts and what the test says of them. */
export const judgedNode = nodeFields.extend({
  p: z.number().nullable(),
  q: z.number().nullable(),
  verdict: z.enum(NODE_VERDICTS).nullable(),
  reason: z.string().nullable(),
  sentence: z.string().nullable(),
});

export const node: z.ZodType<JudgedNode> = judgedNode.meta({ id: "Node" });

const counts = {
  records: count,
  observations: count,
  rollouts: count,
  routine: count,
  duplicates: count,
  rejected: count,
  bytes: count,
};

export const batch: z.ZodType<BatchAnswer> = z
  .object({
    id: z.string(),
    state: z.enum(BATCH_STATES),
    receivedAt: at,
    completedAt: at.nullable(),
    name: z.string().nullable(),
    format: z.string(),
    run: z.string().nullable(),
    source: z.string(),
    node: z.string().nullable(),
    cluster: z.string(),
    tz: z.string().nullable(),
    origin,
    ...counts,
  })
  .meta({ id: "Batch" });

export const ingestResult: z.ZodType<IngestResult> = z
  .object({
    batchId: z.string(),
    duplicateBatch: z.boolean(),
    format: z.string(),
    ...counts,
    rejects: z.array(z.object({ line: count, code: z.enum(REJECT_CODES), message: z.string() })),
    leftOut: z.array(z.object({ why: z.string(), files: count, examples: z.array(z.string()) })).optional(),
  })
  .meta({ id: "IngestResult" });

export const reject: z.ZodType<RejectAnswer> = z
  .object({ line: count, code: z.string(), message: z.string(), sample: z.string() })
  .meta({ id: "Reject" });

export const undo: z.ZodType<UndoAnswer> = z
  .object({ preview: z.boolean(), batches: count, rollouts: count, observations: count })
  .meta({ id: "Undo" });

export const overview: z.ZodType<Overview> = z
  .object({
    empty: z.boolean(),
    demo: z.boolean(),
    sentence: z.string(),
    days: z.array(z.object({ at, rollouts: count, infraFailed: rate.nullable(), byFamily: familyCounts })),
    runs: z.array(runSummary),
    nodes: z.array(nodeFields),
    deliveries: z.array(batch),
    unreadable: count,
    pending: z
      .boolean()
      .optional()
      .meta({ description: "True while nodes are being counted or tested: there are none in it yet, ask again." }),
  })
  .meta({ id: "Overview" });

export const taxonomyClass: z.ZodType<TaxonomyClass> = z
  .object({ id: z.string(), title: z.string(), family, owner, infra: z.boolean() })
  .meta({ id: "TaxonomyClass" });

export const taxonomyRule: z.ZodType<TaxonomyRule> = z
  .object({
    id: z.string(),
    class: z.string().nullable(),
    subCause: z.string().nullable(),
    confidence,
    why: z.string(),
    own: z.boolean(),
  })
  .meta({ id: "TaxonomyRule" });

export const health: z.ZodType<Health> = z
  .object({
    ok: z.boolean(),
    store: z.enum(["ok", "unavailable"]),
    version: z.string(),
    taxonomy: z.string(),
    storeBytes: z.number().nullable(),
    unsettled: count,
    dataVersion: count.nullable(),
  })
  .meta({ id: "Health" });
