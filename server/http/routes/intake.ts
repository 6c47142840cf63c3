/** What is coming in just now. */
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";
import type { Intake } from "@/server/domain/intake";
import { defineRoute, type Route } from "../route";
import { at, count } from "../schemas/words";

const intake: z.ZodType<Intake> = z
  .object({
    deliveries: z.object({ underWay: count, most: count, refused: count }),
    uploads: z.object({ open: count, bytes: count, mostBytes: count }).nullable(),
    sourceBytesPerMinute: count.nullable(),
    slowed: z.array(z.object({ source: z.string(), refused: count, lastRefusedAt: at, retryAfterS: count })),
  })
  .meta({ id: "Intake" });

export const intakeRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/intake",
    need: "viewer",
    operation: "getIntake",
    summary: "Deliveries and uploads under way, and sources that were asked to send less.",
    query: z.strictObject({}),
    answer: { description: "The state.", schema: intake },
    async handle({ services }) {
      if (services.intake) return services.intake();
      throw new CoalmineError("unavailable", "This process does not count what comes in.");
    },
  }),
];
