/** When the rules have become better: what that would change of what is stored, and the change itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";
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
    summary:
      "How much was read by older formats or judged by other rules than today's, and how far a preview or run is.",
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
      "Counts what today's formats and rules would change (`preview`), or changes it. Goes on beside deliveries and restarts.",
    query: nothing,
    body: z.strictObject({
      preview: z.boolean().default(true).meta({ description: "Only say what would change." }),
      batch: z.string().nullable().default(null).meta({
        description: "Read this delivery's lines again, whichever version read it; default all that need it.",
      }),
    }),
    answer: { description: "The state, of small stores with the result.", schema: reclassify },
    async handle({ body, services }) {
      const { batch } = body;
      if (batch !== null && (await services.store.batch(batch)) === null)
        throw new CoalmineError("not_found", `There is no delivery ${batch}.`);
      const begun = await services.reclassify.start(body.preview ? "preview" : "run", { batch });
      return await soon(services.reclassify, begun);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/reclassify/cancel",
    need: "operator",
    operation: "cancelReclassify",
    summary: "Ends a preview or run between two steps; what is done stands, and the rest is offered again.",
    query: nothing,
    answer: { description: "The state.", schema: reclassify },
    handle: ({ services }) => services.reclassify.cancel(),
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
