/** The samples to leave out of training or scoring. */
import { z } from "zod";
import { MASK_FORMATS, mask } from "@/server/queries/mask";
import { defineRoute, Reply, type Route } from "../route";

export const maskRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/runs/{run}/mask",
    need: "viewer",
    operation: "getMask",
    summary: "The rollouts that infrastructure ended, a JSON line each, under the keys of a harness or trainer.",
    query: z.strictObject({ as: z.enum(MASK_FORMATS).default("jsonl") }),
    answer: {
      description: "JSON lines.",
      schema: z.string().meta({ description: "A JSON object a line." }),
      type: "application/x-ndjson",
    },
    async handle({ path, query, services }) {
      const run = path.run ?? "";
      const lines = await mask(services.store, { run, as: query.as });
      const name = `${run.replace(/[^\w.-]+/g, "_")}-mask.${query.as === "jsonl" ? "" : `${query.as}.`}jsonl`;
      return new Reply(streamOf(lines), {
        headers: {
          "content-type": "application/x-ndjson; charset=utf-8",
          "content-disposition": `attachment; filename="${name}"`,
        },
      });
    },
  }),
];

/** Reads on only as fast as the receiver takes, and stops when it leaves. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
