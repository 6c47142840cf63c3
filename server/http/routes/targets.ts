/** Where canaries may run, which plans there are, what is scheduled, and what is still there. */
import { z } from "zod";
import { canariesOf } from "../canaries-of";
import { text } from "../params";
import { defineRoute, type Route } from "../route";
import { canaryNode, leftover, planAnswer, schedule, target } from "../schemas/canaries";

const nothing = z.strictObject({});

export const targetRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/targets",
    need: "viewer",
    operation: "listTargets",
    summary: "Canary targets of the configuration, with their bounds and newest run. Keys are never shown.",
    query: nothing,
    answer: { description: "Targets.", schema: target, list: true },
    handle: async ({ services }) => ({ items: await canariesOf(services).targets(), next: null }),
  }),
  defineRoute({
    method: "GET",
    path: "/targets/{target}/leftovers",
    need: "viewer",
    operation: "listLeftovers",
    summary: "Sandboxes still there: canaries', or those of a run label; each with the line that deletes it.",
    query: z.strictObject({ run: text.optional().meta({ description: "Value of the run label." }) }),
    answer: { description: "Sandboxes, oldest first.", schema: leftover, list: true },
    handle: async ({ path, query, services }) => ({
      items: await canariesOf(services).leftovers(path.target ?? "", query.run ?? null),
      next: null,
    }),
  }),
  defineRoute({
    method: "GET",
    path: "/plans",
    need: "viewer",
    operation: "listPlans",
    summary: "Plans of canaries, with their options and bounds as JSON Schema.",
    query: nothing,
    answer: { description: "Plans.", schema: planAnswer, list: true },
    handle: async ({ services }) => ({ items: canariesOf(services).plans(), next: null }),
  }),
  defineRoute({
    method: "GET",
    path: "/canary-nodes",
    need: "viewer",
    operation: "listCanaryNodes",
    summary: "What canaries met on each node: failed cycles of all, and the newest. In no other rate.",
    query: nothing,
    answer: { description: "Nodes, by name.", schema: canaryNode, list: true },
    handle: async ({ services }) => ({ items: await canariesOf(services).nodes(), next: null }),
  }),
  defineRoute({
    method: "GET",
    path: "/schedules",
    need: "viewer",
    operation: "listSchedules",
    summary: "Plans that the configuration runs again and again.",
    query: nothing,
    answer: { description: "Schedules.", schema: schedule, list: true },
    handle: async ({ services }) => ({ items: await canariesOf(services).schedules(), next: null }),
  }),
];
