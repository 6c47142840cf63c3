/** How far news of a reused pod reaches: only to the sandboxes that it served around that time. */
import type { Link } from "@/server/domain/facts";
import { isReused, type Ref } from "@/server/domain/refs";
import { NO_SPAN, type Span, union } from "@/server/domain/span";
import type { Store } from "@/server/domain/store";
import { INTERVAL_SLACK_MS, indexLinks } from "./who-is-who";

/** From an IP to a pod name to a pod. */
const STEPS = 2;

/**
 * Times that bound what has to be derived of these queued refs; a ref without is derived with all that it ever led to.
 * What an IP or a pod name leads to is bounded by the same times, unless it is queued without a bound itself.
 */
export async function reach(store: Store, queued: readonly Ref[]): Promise<Map<Ref, Span>> {
  const spans = (await store.newSpans?.([...queued])) ?? new Map<Ref, Span>();
  const unbounded = new Set(queued.filter((ref) => !spans.has(ref)));
  let frontier = [...spans.keys()];
  for (let step = 0; step < STEPS && frontier.length > 0; step++) {
    const links = await store.linksFrom(frontier);
    frontier = frontier.flatMap((from) => {
      const span = spans.get(from);
      if (span === undefined) return [];
      const next = around(
        links.filter((link) => link.from === from && isReused(link.to)),
        span,
      ).map((link) => link.to);
      const bounded = next.filter((to) => !unbounded.has(to));
      for (const to of bounded) spans.set(to, union(spans.get(to) ?? NO_SPAN, span));
      return bounded;
    });
  }
  return spans;
}

/**
 * Of one ref's links those that may tell apart evidence of that time: each with the widest interval that any source gave,
 * and with those that held beside it, since a wider interval takes evidence from its neighbours.
 */
export function around(links: readonly Link[], span: Span): Link[] {
  if (span.from > span.to) return [];
  const widest = [...indexLinks(links).values()].flat();
  const beside = widest
    .filter((link) => meets(link, span))
    .map(spanOf)
    .reduce(union, span);
  return widest.filter((link) => meets(link, beside));
}

function spanOf({ since, until }: Link): Span {
  return { from: since ?? Number.NEGATIVE_INFINITY, to: until ?? Number.POSITIVE_INFINITY };
}

function meets(link: Link, span: Span): boolean {
  const { from, to } = spanOf(link);
  return from - 2 * INTERVAL_SLACK_MS <= span.to && to + 2 * INTERVAL_SLACK_MS >= span.from;
}
