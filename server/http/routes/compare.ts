/** Two runs against each other. */
import { z } from "zod";
import { compare, PAIRING } from "@/server/queries/compare";
import { text } from "../params";
import { defineRoute, type Route } from "../route";
import { compareAnswer } from "../schemas/compare";

export const compareRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/compare",
    need: "viewer",
    operation: "compareRuns",
    summary: "Every metric of two runs with its difference, interval and p, their settings, and one plain sentence.",
    query: z.strictObject({
      baseline: text,
      candidate: text,
      paired: z
        .enum([...PAIRING, "true", "false"])
        .default("auto")
        .transform((given) => (given === "true" ? "paired" : given === "false" ? "unpaired" : given))
        .meta({
          description: "What pass and reward are decided on; `auto`: pairs, when half of the smaller run pairs.",
        }),
    }),
    answer: { description: "The comparison.", schema: compareAnswer },
    handle: ({ query, services, now }) => compare(services.store, { ...query, now }),
  }),
];
