/** Nodes of the fleet. */
import { z } from "zod";
import { ORIGINS } from "@/server/domain/taxonomy-words";
import { nodes } from "@/server/queries/nodes";
import { wantsCsv } from "../csv";
import { listOf, pageOf, paging, text, window } from "../params";
import { defineRoute, type Route } from "../route";
import { node } from "../schemas/fleet";

export const nodeRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/nodes",
    need: "viewer",
    operation: "listNodes",
    summary: "Nodes: rollouts, infra-failure rate, failures expected, by family and hour. Most excess first.",
    query: z.strictObject({
      run: listOf(text, "Runs."),
      origin: listOf(z.enum(ORIGINS), "Origins; default the fleet, and the demo while there is nothing else."),
      ...window,
      ...paging,
    }),
    answer: { description: "Nodes.", schema: node, list: true },
    handle: ({ query, services, request }) =>
      nodes(services.store, {
        runs: query.run,
        origins: query.origin,
        from: query.from,
        to: query.to,
        page: pageOf(query),
        // A file is read once: nothing in it may be still to come.
        whole: wantsCsv(request),
      }),
  }),
];
