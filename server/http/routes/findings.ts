/** What to change. */
import { z } from "zod";
import { findings } from "@/server/queries/findings";
import { measuredIdleS } from "@/server/queries/measured-idle";
import { text } from "../params";
import { defineRoute, type Route } from "../route";
import { finding } from "../schemas/findings";

export const findingRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/findings",
    need: "viewer",
    operation: "listFindings",
    summary: "What to change: old and new values, what it would bring back, and a canary plan that checks it.",
    query: z.strictObject({
      run: text.optional().meta({ description: "Of this run; default the newest runs." }),
    }),
    answer: { description: "Findings, worst first.", schema: finding, list: true },
    async handle({ query, services, now }) {
      const measured = services.canaries ? measuredIdleS(await services.canaries.list()) : null;
      return findings(services.store, { run: query.run, now, measuredIdleS: measured });
    },
  }),
];
