/** Answer schema of the gate. */
import { z } from "zod";
import type { GateAnswer } from "@/server/queries/gate";
import { count, rate } from "./words";

export const gateAnswer: z.ZodType<GateAnswer> = z
  .object({
    run: z.object({ id: z.string(), name: z.string(), origin: z.string() }),
    passedOver: z.string().nullable().meta({ description: "A newer run without rollouts, where none was named." }),
    verdict: z.enum(["pass", "fail", "inconclusive"]),
    exitCode: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    max: z.number(),
    ended: z.boolean(),
    rate: rate.nullable(),
    anytime: z
      .object({ low: z.number(), reached: z.boolean(), alpha: z.number(), method: z.string() })
      .meta({ description: "Lower bound of the rate that holds however often one looks at a live run." }),
    sentence: z.string(),
    planned: count.nullable(),
    missing: count.nullable(),
    valid: z.object({ ok: z.boolean(), reason: z.string().nullable() }),
    passAt1: z.number().nullable(),
    method: z.string().nullable(),
    comparison: z
      .object({
        baseline: z.string(),
        verdict: z.enum(["better", "worse", "no_clear_change", "too_little_data"]),
        sentence: z.string(),
        looked: z.boolean().meta({ description: "False while the run is going: the comparison then decides nothing." }),
      })
      .nullable(),
  })
  .meta({ id: "Gate" });
