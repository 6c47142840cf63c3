import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import { serve } from "@/server/http/handle";
import { services } from "@/server/wire";
import { ApiError, apiError } from "./api";

/** A question as `ask` makes it: its key holds the URL that answers it. */
interface Asked {
  queryKey: readonly [path: string, url: string, pages?: string];
}

interface AnsweredProps {
  /** Asked before the page is drawn. The first is what the page is about: without it there is no page. */
  questions: readonly Asked[];
  /** Where the reader is, to come back to after signing in; null: the page stands without these answers. */
  path: string | null;
  /** What to ask once those are answered, from what they say. */
  following?: (client: QueryClient) => readonly Asked[];
  children: ReactNode;
}

/** Asks on the server, through the API's own handler and with the reader's own rights, and hands the answers to the page. */
export async function Answered({ questions, path, following, children }: AnsweredProps) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await Promise.all(questions.map((asked) => askOnce(client, asked)));
  const first = path !== null && questions[0] && client.getQueryState(questions[0].queryKey)?.error;
  if (first instanceof ApiError && first.status === 401) redirect(`/sign-in?next=${encodeURIComponent(path ?? "/")}`);
  if (first instanceof ApiError && first.status === 404) notFound();
  await Promise.all((following?.(client) ?? []).map((asked) => askOnce(client, asked)));
  // What failed is asked again by the page, which says so and offers to retry.
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

/** What a question's answer is, for the page's title; null where there is none. */
export function known<T>({ queryKey }: Asked): Promise<T | null> {
  return answer(queryKey[1]).then(
    (found) => found as T,
    () => null,
  );
}

async function askOnce(client: QueryClient, { queryKey }: Asked): Promise<void> {
  const [, url, pages] = queryKey;
  const queryFn = () => answer(url);
  if (pages === undefined) await client.prefetchQuery({ queryKey, queryFn });
  else await client.prefetchInfiniteQuery({ queryKey, queryFn, initialPageParam: null, getNextPageParam: () => null });
}

/** Asked once for a page, however many of its parts ask. */
const answer = cache(async (url: string): Promise<unknown> => {
  const incoming = await headers();
  const request = new Request(`http://${incoming.get("host") ?? "localhost"}${url}`, {
    headers: credentials(incoming),
  });
  const response = await serve(request, services);
  if (response.ok) return response.json();
  throw apiError(response.status, await response.text(), response.headers.get("retry-after"));
});

function credentials(incoming: Headers): Headers {
  const kept = new Headers();
  for (const name of ["host", "cookie", "authorization"]) {
    const value = incoming.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}
