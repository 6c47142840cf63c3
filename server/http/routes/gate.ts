/** May this run go on, or pass? For CI and training loops. */
import { z } from "zod";
import { gateRun } from "@/server/queries/gate";
import { flag, text } from "../params";
import { defineRoute, type Route } from "../route";
import { gateAnswer } from "../schemas/gate";

/** `5%` or `0.05`. */
const share = z
  .string()
  .transform((given, context) => {
    const found = /^(\d+(?:\.\d+)?)\s*(%)?$/.exec(given.trim());
    const value = found ? Number(found[1]) / (found[2] ? 100 : 1) : Number.NaN;
    if (value > 0 && value < 1) return value;
    context.addIssue({ code: "custom", message: "must be a share between 0 and 1, e.g. 5% or 0.05" });
    return z.NEVER;
  })
  .meta({ description: "Largest infra rate allowed, e.g. 5% or 0.05." });

export const gateRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/gate",
    need: "viewer",
    operation: "gateRun",
    summary: "Pass, fail or inconclusive: a run's infra rate against a maximum, honest at any look at a live run.",
    query: z.strictObject({
      max: share,
      run: text.optional().meta({ description: "Default the newest with rollouts." }),
      baseline: text.optional().meta({ description: "A run that this one must not be worse than." }),
      strict: flag.meta({ description: "`true`: inconclusive counts as failed." }),
    }),
    answer: { description: "The verdict.", schema: gateAnswer },
    handle: ({ query, services, now }) => gateRun(services.store, { ...query, now }),
  }),
];
