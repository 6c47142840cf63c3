/** The product about itself: first page, classes, health, and this API as OpenAPI. */
import { z } from "zod";
import { health } from "@/server/queries/health";
import { overview } from "@/server/queries/overview";
import { taxonomy, taxonomyRules } from "@/server/queries/taxonomy";
import { openApi } from "../openapi";
import { defineRoute, Reply, type Route } from "../route";
import { health as healthAnswer, overview as overviewAnswer, taxonomyClass, taxonomyRule } from "../schemas/fleet";

const HEALTH_MS = 2000;
const nothing = z.strictObject({});

export const productRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/overview",
    need: "viewer",
    operation: "getOverview",
    summary: "What infrastructure took lately; newest runs, nodes and deliveries.",
    query: nothing,
    answer: { description: "The overview.", schema: overviewAnswer },
    handle: ({ services, now }) => overview(services.store, { now }),
  }),
  defineRoute({
    method: "GET",
    path: "/taxonomy",
    need: "viewer",
    operation: "getTaxonomy",
    summary: "The classes of failure with family, owner and title.",
    query: nothing,
    answer: { description: "Classes.", schema: taxonomyClass, list: true },
    handle: async () => taxonomy(),
  }),
  defineRoute({
    method: "GET",
    path: "/taxonomy/rules",
    need: "viewer",
    operation: "getRules",
    summary: "The rules that give the classes, in order, the operator's own last: the first that holds wins.",
    query: nothing,
    answer: { description: "Rules with their reasons.", schema: taxonomyRule, list: true },
    handle: async ({ services }) => taxonomyRules(services.classifier?.own),
  }),
  defineRoute({
    method: "GET",
    path: "/health",
    need: "open",
    operation: "getHealth",
    summary: "Does the store answer? 503 when it does not.",
    query: nothing,
    answer: { description: "State of the server.", schema: healthAnswer },
    async handle({ services }) {
      const answer = await health(services.store, {
        version: services.version,
        rulesVersion: services.classifier?.version,
        timeoutMs: HEALTH_MS,
      });
      return new Reply(answer, { status: answer.ok ? 200 : 503 });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/openapi.json",
    need: "open",
    operation: "getOpenApi",
    summary: "This API as OpenAPI 3.1.",
    query: nothing,
    answer: { description: "The description.", schema: z.record(z.string(), z.unknown()) },
    handle: async ({ services, table }) => openApi(table, services.version),
  }),
];
