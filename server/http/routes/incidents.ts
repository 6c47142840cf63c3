/** Incidents listed, and one with its evidence. */
import { z } from "zod";
import { incidentDetail } from "@/server/queries/incident-detail";
import { listIncidents } from "@/server/queries/list-incidents";
import { incidentFilter, incidentInput } from "../incident-params";
import { pageOf, paging } from "../params";
import { defineRoute, type Route } from "../route";
import { incidentDetail as detailAnswer, incident } from "../schemas/rollouts";

export const incidentRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/incidents",
    need: "viewer",
    operation: "listIncidents",
    summary: "Incidents, newest first. A shared one stands for its parts.",
    query: z.strictObject({ ...incidentFilter, ...paging }),
    answer: { description: "Incidents.", schema: incident, list: true },
    handle: ({ query, services }) => listIncidents(services.store, { ...incidentInput(query), page: pageOf(query) }),
  }),
  defineRoute({
    method: "GET",
    path: "/incidents/{id}",
    need: "viewer",
    operation: "getIncident",
    summary: "One incident with the lines that prove it and their neighbours.",
    query: z.strictObject({}),
    answer: { description: "The incident.", schema: detailAnswer },
    handle: ({ path, services }) => incidentDetail(services.store, { id: path.id ?? "" }),
  }),
];
