/** What changes while somebody looks, as server-sent events. */
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";
import { LIVE_TOPICS, type LiveTopic } from "@/server/domain/live";
import type { Store } from "@/server/domain/store";
import { readDirectory } from "@/server/queries/run-directory";
import { searchScope } from "@/server/queries/search-scope";
import { eventStream } from "../event-stream";
import { liveFeed } from "../live-feed";
import { watchOf } from "../live-watch";
import { listOf } from "../params";
import { defineRoute, Reply, type Route } from "../route";
import { liveEvent } from "../schemas/live";
import { searchFilter, searchInput } from "../search-params";

/** Each holds a connection and a little memory. */
const MOST_READERS = 200;
/** Each reads blocks whenever some come. */
const MOST_TAILS = 12;

export const liveRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/live",
    need: "viewer",
    operation: "followChanges",
    summary:
      "Server-sent events, one whenever something changed; their id is the data's version. A reader who comes back with `Last-Event-ID`, or with `since`, is told at once of what they missed. `tail` gives raw lines as they come; the search filters are about it. A reader who is slow, or lines that come too fast, are told of by how many were left out. 429 past 200 readers, or 12 of lines.",
    query: z.strictObject({
      topics: listOf(z.enum(LIVE_TOPICS), "What to follow; default runs and deliveries."),
      ...searchFilter,
      since: z
        .string()
        .regex(/^\d{1,15}$/, "must be the version of an answer")
        .optional()
        .meta({ description: "The data's version that the reader knows (`dataVersion` of /health)." }),
    }),
    answer: { description: "The events.", schema: liveEvent, type: "text/event-stream" },
    async handle({ query, request, services }) {
      const topics = query.topics ?? ["runs", "deliveries"];
      const lines = searchInput(query);
      requireRoom(services.store, topics);
      // A query that cannot be looked up is refused, and no empty stream.
      if (topics.includes("tail")) await searchScope(services.store, await readDirectory(services.store), lines);
      const asked = { topics, since: knownVersion(request, query.since), lines };
      const stream = eventStream({ source: (signal) => liveFeed(services, asked, signal), request: request.signal });
      return new Reply(stream, {
        headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
      });
    },
  }),
];

/** Throws `busy` when no more can be held. */
function requireRoom(store: Store, topics: readonly LiveTopic[]): void {
  const { readers, tails } = watchOf(store);
  const full = readers >= MOST_READERS || (topics.includes("tail") && tails >= MOST_TAILS);
  if (full)
    throw new CoalmineError("busy", "As many follow what changes as can be held; try again later.", {
      retryAfterS: 30,
    });
}

/** A browser that lost the line sends the id of the last event; that is newer than what the page was loaded with. */
function knownVersion(request: Request, since: string | undefined): number | null {
  const header = request.headers.get("last-event-id") ?? "";
  if (/^\d{1,15}$/.test(header)) return Number(header);
  return since === undefined ? null : Number(since);
}
