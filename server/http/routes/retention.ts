/** What is kept, and what is older than that. */
import { z } from "zod";
import type { RetentionAnswer } from "@/server/domain/retention";
import { defineRoute, type Route } from "../route";
import { at, count } from "../schemas/words";

const retention: z.ZodType<RetentionAnswer> = z
  .object({
    days: count.nullable().meta({ description: "COALMINE_RETENTION_DAYS; null: everything is kept." }),
    before: at.nullable().meta({ description: "What is older goes." }),
    older: z
      .object({ observations: count, rollouts: count, archiveBlocks: count })
      .nullable()
      .meta({ description: "What is older now; a subject goes whole, when all of it is." }),
    runs: z.array(z.string()).meta({ description: "Runs all of which is older: they go whole." }),
    last: z
      .object({
        at,
        observations: count,
        runs: z.array(z.string()),
        bytesBefore: count.nullable(),
        bytesAfter: count.nullable(),
      })
      .nullable(),
    problem: z.string().nullable().meta({ description: "Why the last sweep ended before its end." }),
    givesSpaceBack: z.boolean().nullable(),
  })
  .meta({ id: "Retention" });

export const retentionRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/retention",
    need: "viewer",
    operation: "getRetention",
    summary: "What the retention would let go of now, and what it last did.",
    query: z.strictObject({}),
    answer: { description: "The state.", schema: retention },
    handle: ({ services }) => services.retention.state(),
  }),
];
