/** Running plans against targets, following them live, and cancelling them. */
import { z } from "zod";
import type { CanaryService } from "@/server/canary/service";
import type { List } from "@/server/domain/answers";
import { CANARY_STATES, type CanaryEvent, type CanarySummary, PLAN_NAMES } from "@/server/domain/canary";
import { CoalmineError } from "@/server/domain/errors";
import { canariesOf } from "../canaries-of";
import { eventStream } from "../event-stream";
import { listOf, paging, text } from "../params";
import { defineRoute, Reply, type Route } from "../route";
import { withRunGaps } from "../run-gap-options";
import { canary, canaryEvent, canarySummary } from "../schemas/canaries";

const nothing = z.strictObject({});
const MOST_EVENTS = 5_000;

export const canaryRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "/canaries",
    need: "operator",
    operation: "startCanary",
    summary: "Queues a plan on a target. The request names a configured target; it never carries an address or a key.",
    query: nothing,
    body: z.strictObject({
      target: text.meta({ description: "Name of a configured target." }),
      plan: text.meta({ description: `One of ${PLAN_NAMES.join(", ")}.` }),
      options: z.record(z.string(), z.unknown()).default({}).meta({ description: "As `GET /plans` describes them." }),
    }),
    answer: { description: "The run, queued; 202.", schema: canarySummary },
    async handle({ body, principal, services }) {
      const by = principal === null ? "request" : `request of ${principal.name}`;
      const canaries = canariesOf(services);
      const options = await withRunGaps(services.store, body.plan, body.options);
      return new Reply(await canaries.submit({ ...body, options, by }), { status: 202 });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/canaries",
    need: "viewer",
    operation: "listCanaries",
    summary: "Runs of plans, newest first.",
    query: z.strictObject({
      target: listOf(text, "Targets."),
      plan: listOf(z.enum(PLAN_NAMES), "Plans."),
      state: listOf(z.enum(CANARY_STATES), "States."),
      ...paging,
    }),
    answer: { description: "Runs.", schema: canarySummary, list: true },
    async handle({ query, services }) {
      const all = await canariesOf(services).list();
      const fits = (wanted: readonly string[] | undefined, value: string) => !wanted?.length || wanted.includes(value);
      const found = all.filter(
        (one) => fits(query.target, one.target) && fits(query.plan, one.plan) && fits(query.state, one.state),
      );
      return pageAfter(found, query.limit, query.cursor);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/canaries/{id}",
    need: "viewer",
    operation: "getCanary",
    summary: "One run with its result and its newest 500 cycles.",
    query: nothing,
    answer: { description: "The run.", schema: canary },
    handle: ({ path, services }) => canariesOf(services).get(path.id ?? ""),
  }),
  defineRoute({
    method: "GET",
    path: "/canaries/{id}/events",
    need: "viewer",
    operation: "followCanary",
    summary:
      "What happens in a run: live as server-sent events with `Accept: text/event-stream` (resumes after `Last-Event-ID`), else what is known by now as a list.",
    query: z.strictObject({
      after: z
        .string()
        .regex(/^\d{1,9}$/, "must be an event's number")
        .optional()
        .meta({ description: "Only later events." }),
    }),
    answer: { description: "Events in order.", schema: canaryEvent, list: true },
    async handle({ path, query, request, services }) {
      const canaries = canariesOf(services);
      const id = path.id ?? "";
      const after = lastSeen(request, query.after);
      // Asked first: a run that is not there is a 404, not an empty stream.
      await canaries.get(id);
      if (!/text\/event-stream/i.test(request.headers.get("accept") ?? "")) return known(canaries, id, after);
      const stream = eventStream({ source: (signal) => canaries.events(id, after, signal), request: request.signal });
      return new Reply(stream, {
        headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
      });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/canaries/{id}/cancel",
    need: "operator",
    operation: "cancelCanary",
    summary: "Cancels a run: `cancelling` at once, over when everything it made is deleted.",
    query: nothing,
    answer: { description: "The run.", schema: canarySummary },
    handle: ({ path, services }) => canariesOf(services).cancel(path.id ?? ""),
  }),
];

/** Cursor: the id of the last row of the page before. Throws `invalid` for one that is not in the list. */
function pageAfter(found: CanarySummary[], limit: number, cursor: string | null): List<CanarySummary> {
  const from = cursor === null ? 0 : found.findIndex((one) => one.id === cursor) + 1;
  if (cursor !== null && from === 0) throw new CoalmineError("invalid", "cursor: is none of this list's");
  const items = found.slice(from, from + limit);
  return { items, next: from + limit < found.length ? (items.at(-1)?.id ?? null) : null };
}

function lastSeen(request: Request, after: string | undefined): number {
  const header = request.headers.get("last-event-id") ?? "";
  return Number(after ?? (/^\d{1,9}$/.test(header) ? header : 0));
}

/** What is on record by now; `next` is the last event's number when there may be more. */
async function known(canaries: CanaryService, id: string, after: number): Promise<List<CanaryEvent>> {
  const items: CanaryEvent[] = [];
  for await (const event of canaries.events(id, after, AbortSignal.abort())) {
    items.push(event);
    if (items.length >= MOST_EVENTS) return { items, next: String(event.id) };
  }
  return { items, next: null };
}
