/** Answer schema of one node. */
import { z } from "zod";
import { PLAN_NAMES } from "@/server/domain/canary";
import type { NodeDetail } from "@/server/domain/node-detail";
import { judgedNode } from "./fleet";
import { incident, line } from "./rollouts";
import { classCount } from "./runs";
import { at, count, family, familyCounts, rate } from "./words";

const stratum = z.object({
  run: z.string().nullable(),
  configKey: z.string().nullable(),
  rollouts: count,
  failures: count,
  here: count,
  seen: count,
});

export const nodeDetail: z.ZodType<NodeDetail> = judgedNode
  .extend({
    tested: count,
    fleetWide: z.boolean(),
    strata: z.array(stratum),
    families: z.array(
      z.object({ family, k: count, expected: z.number(), p: z.number(), q: z.number(), standsOut: z.boolean() }),
    ),
    burst: z.object({ failures: count, p: z.number() }).nullable(),
    attribution: z.object({ failed: rate.nullable(), notFailed: rate.nullable(), even: z.boolean() }).nullable(),
    smallestExcess: z.object({ failures: count, rate: z.number(), times: z.number().nullable() }).nullable(),
    classes: z.array(classCount),
    timeline: z.array(z.object({ at, well: count, byFamily: familyCounts })),
    conditions: z.array(z.object({ type: z.string(), status: z.string(), at: at.nullable() })),
    events: z.array(line),
    newest: z.array(incident),
    canary: z.object({ incidents: count, lastAt: at.nullable() }).nullable(),
    commands: z.object({ cordon: z.string(), drain: z.string(), taint: z.string(), uncordon: z.string() }),
    check: z.object({ plan: z.enum(PLAN_NAMES), options: z.record(z.string(), z.unknown()) }),
    pending: z.boolean().optional(),
  })
  .meta({ id: "NodeDetail" });
