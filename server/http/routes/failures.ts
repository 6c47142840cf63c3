/** Incidents counted. */
import { z } from "zod";
import { FAILURE_DIMS } from "@/server/domain/answers";
import { failures } from "@/server/queries/failures";
import { wantsCsv } from "../csv";
import { incidentFilter, incidentInput } from "../incident-params";
import { listOf, pageOf, paging } from "../params";
import { defineRoute, type Route } from "../route";
import { failureGroup } from "../schemas/rollouts";

export const failureRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/failures",
    need: "viewer",
    operation: "countFailures",
    summary: "Incidents counted by up to two dimensions; fatal ones and the rollouts they ended apart.",
    query: z.strictObject({
      ...incidentFilter,
      by: listOf(z.enum(FAILURE_DIMS), "Up to two dimensions; default class."),
      ...paging,
    }),
    answer: { description: "Groups, most incidents first.", schema: failureGroup, list: true },
    handle: ({ query, services, request }) =>
      failures(services.store, {
        ...incidentInput(query),
        by: query.by && query.by.length > 0 ? query.by : ["class"],
        page: pageOf(query),
        whole: wantsCsv(request),
      }),
  }),
];
