/** Deliveries come in here, as bytes of any size; nothing is held whole. */
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";
import { countDelivery } from "../metrics";
import { text, zone } from "../params";
import { bodyOf } from "../read-body";
import { defineRoute, type Route } from "../route";
import { ingestResult } from "../schemas/fleet";

export const ingestRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "/ingest/{format}",
    need: "ingest",
    operation: "ingest",
    summary: "Sends a delivery: the raw bytes of logs, events, objects or rollout records. `auto` detects the format.",
    query: z.strictObject({
      run: text.optional().meta({ description: "Run of the whole delivery. Leave it out for a shared stream." }),
      source: text.optional().meta({ description: "What wrote it; default the file name, else http." }),
      node: text.optional().meta({ description: "Machine it comes from, where the records do not say." }),
      cluster: text.default("default"),
      tz: zone.optional().meta({ description: "Zone of times without one; default UTC, marked as assumed." }),
      name: text.optional().meta({ description: "File name." }),
    }),
    body: "raw",
    answer: { description: "Durable, and derived. The same bytes again change nothing.", schema: ingestResult },
    async handle({ request, path, query, services }) {
      requireSize(request, services.settings.maxBodyBytes);
      const result = await services.ingest({
        params: {
          format: path.format ?? "auto",
          run: query.run ?? null,
          source: query.source ?? query.name ?? "http",
          node: query.node ?? null,
          cluster: query.cluster,
          tz: query.tz ?? null,
          origin: "fleet",
        },
        name: query.name ?? null,
        encoding: request.headers.get("content-encoding"),
        body: bodyOf(request),
        signal: request.signal,
      });
      countDelivery(result);
      return result;
    },
  }),
];

/** Refuses at once what is too large as sent; what it grows into is bounded while it is read. Throws `too_large`. */
function requireSize(request: Request, maxBytes: number): void {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > maxBytes) {
    throw new CoalmineError(
      "too_large",
      `body: ${length} bytes, more than COALMINE_MAX_BODY (${maxBytes}). Send it in parts.`,
    );
  }
}
