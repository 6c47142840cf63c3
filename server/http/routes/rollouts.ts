/** One rollout with all that is known about it. */
import { z } from "zod";
import { rolloutDetail } from "@/server/queries/rollout-detail";
import { defineRoute, type Route } from "../route";
import { rolloutDetail as detailAnswer } from "../schemas/rollouts";

export const rolloutRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/rollouts/{id}",
    need: "viewer",
    operation: "getRollout",
    summary: "The death certificate: record, sandboxes, sibling attempts, and one timeline of all evidence.",
    query: z.strictObject({}),
    answer: { description: "The rollout.", schema: detailAnswer },
    handle: ({ path, services }) => rolloutDetail(services.store, { id: path.id ?? "" }),
  }),
];
