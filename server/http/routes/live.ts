/** What changes while somebody looks, as server-sent events. */
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";
import { LIVE_TOPICS } from "@/server/domain/live";
import { eventStream } from "../event-stream";
import { liveFeed } from "../live-feed";
import { watchOf } from "../live-watch";
import { listOf } from "../params";
import { defineRoute, Reply, type Route } from "../route";
import { liveEvent } from "../schemas/live";

/** Each holds a connection and a little memory. */
const MOST_READERS = 200;

export const liveRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/live",
    need: "viewer",
    operation: "followChanges",
    summary:
      "Server-sent events, one whenever something changed; their id is the data's version. A reader who comes back with `Last-Event-ID`, or with `since`, is told at once of what they missed. 429 past 200 readers.",
    query: z.strictObject({
      topics: listOf(z.enum(LIVE_TOPICS), "What to follow; default runs and deliveries."),
      since: z
        .string()
        .regex(/^\d{1,15}$/, "must be the version of an answer")
        .optional()
        .meta({ description: "The data's version that the reader knows (`dataVersion` of /health)." }),
    }),
    answer: { description: "The events.", schema: liveEvent, type: "text/event-stream" },
    async handle({ query, request, services }) {
      const { store } = services;
      if (watchOf(store).readers >= MOST_READERS) {
        throw new CoalmineError("busy", `${MOST_READERS} readers follow what changes; try again later.`, {
          retryAfterS: 30,
        });
      }
      const asked = {
        topics: query.topics ?? ["runs", "deliveries"],
        since: knownVersion(request, query.since),
      } as const;
      const stream = eventStream({ source: (signal) => liveFeed(store, asked, signal), request: request.signal });
      return new Reply(stream, {
        headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
      });
    },
  }),
];

/** A browser that lost the line sends the id of the last event; that is newer than what the page was loaded with. */
function knownVersion(request: Request, since: string | undefined): number | null {
  const header = request.headers.get("last-event-id") ?? "";
  if (/^\d{1,15}$/.test(header)) return Number(header);
  return since === undefined ? null : Number(since);
}
