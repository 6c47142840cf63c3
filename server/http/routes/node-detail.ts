/** One node with all that is known about it. */
import { z } from "zod";
import { ORIGINS } from "@/server/domain/taxonomy-words";
import { nodeDetail } from "@/server/queries/node-detail";
import { listOf, text, window } from "../params";
import { defineRoute, type Route } from "../route";
import { nodeDetail as nodeAnswer } from "../schemas/node-detail";

export const nodeDetailRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/nodes/{node}",
    need: "viewer",
    operation: "getNode",
    summary: "One node: its failures over time and by class, the permutation test in words, its conditions and events.",
    query: z.strictObject({
      run: listOf(text, "Runs to judge it by; default all."),
      origin: listOf(z.enum(ORIGINS), "Origins; default the fleet, and the demo while there is nothing else."),
      ...window,
    }),
    answer: { description: "The node.", schema: nodeAnswer },
    handle: ({ path, query, services }) =>
      nodeDetail(services.store, {
        node: path.node ?? "",
        runs: query.run,
        origins: query.origin,
        from: query.from,
        to: query.to,
      }),
  }),
];
