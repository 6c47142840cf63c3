/** Answer schemas about findings. */
import { z } from "zod";
import { PLAN_NAMES } from "@/server/domain/canary";
import { type Finding, SEVERITIES } from "@/server/findings/finding";
import { count } from "./words";

const estimated = z.object({ estimate: z.number(), low: z.number(), high: z.number() });

export const finding: z.ZodType<Finding> = z
  .object({
    id: z.string().meta({ description: "One of its kind a run." }),
    run: z.string(),
    title: z.string(),
    severity: z.enum(SEVERITIES),
    text: z.string(),
    rolloutsAffected: count,
    winBack: z
      .object({
        rollouts: estimated,
        passAt1Points: estimated.nullable().meta({ description: "In points, hundredths of pass@1." }),
        formula: z.string(),
      })
      .nullable(),
    evidence: z.array(z.object({ label: z.string(), path: z.string(), query: z.record(z.string(), z.string()) })),
    change: z
      .object({
        syntax: z.enum(["yaml", "shell"]),
        file: z.string(),
        lines: z.array(z.object({ op: z.enum(["-", "+"]), text: z.string() })),
      })
      .nullable(),
    canaryPlan: z.object({ plan: z.enum(PLAN_NAMES), options: z.record(z.string(), z.unknown()) }).nullable(),
  })
  .meta({ id: "Finding" });
