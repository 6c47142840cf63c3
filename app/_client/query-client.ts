import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api";

/** Answers stay fresh for a while: going back to a page does not ask again. */
const FRESH_MS = 20_000;

/** Keeps answers; asks twice only where asking again can help. A lost session leads to the sign-in page and back. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: signInAgain }),
    mutationCache: new MutationCache({ onError: signInAgain }),
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: (failures, error) => failures < 2 && canHelp(error) },
    },
  });
}

function canHelp(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;
}

function signInAgain(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401 || typeof window === "undefined") return;
  const { pathname, search } = window.location;
  if (pathname !== "/sign-in") window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
