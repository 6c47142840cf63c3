/** When the rules have become better: what that would change of what is stored, and the change itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { ReclassifyAnswer, ReclassifyService } from "@/server/domain/reclassify";
import { defineRoute, type Route } from "../route";
import { reclassify } from "../schemas/reclassify";

const nothing = z.strictObject({});
/** Small stores are done within the call; of larger ones GET says how far it is. */
const WAIT_MS = 3000;
const LOOK_MS = 50;

export const reclassifyRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/reclassify",
    need: "viewer",
    operation: "getReclassify",
    summary: "How much was judged by other rules than today's, and how far a preview or run is.",
    query: nothing,
    answer: { description: "The state.", schema: reclassify },
    handle: ({ services }) => services.reclassify.state(),
  }),
  defineRoute({
    method: "POST",
    path: "/reclassify",
    need: "operator",
    operation: "startReclassify",
    summary:
      "Counts what today's rules would change (`preview`), or changes it. Goes on beside deliveries and restarts.",
    query: nothing,
    body: z.strictObject({
      preview: z.boolean().default(true).meta({ description: "Only say what would change." }),
    }),
    answer: { description: "The state, of small stores with the result.", schema: reclassify },
    async handle({ body, services }) {
      const begun = await services.reclassify.start(body.preview ? "preview" : "run");
      return await soon(services.reclassify, begun);
    },
  }),
];

async function soon(service: ReclassifyService, begun: ReclassifyAnswer): Promise<ReclassifyAnswer> {
  let answer = begun;
  for (const until = Date.now() + WAIT_MS; answer.state !== "idle" && Date.now() < until; ) {
    await sleep(LOOK_MS);
    answer = await service.state();
  }
  return answer;
}
