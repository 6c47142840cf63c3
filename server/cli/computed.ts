/** Asks again while the server says that something in its answer is still being computed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { List } from "@/server/domain/answers";
import { isPending } from "@/server/domain/pending";
import type { Api, Call } from "./api";

/** As long as a person waits without a word; the server goes on computing. */
const WAIT_MS = 10_000;
const AGAIN_MS = 500;

/** What stands where a figure is not there yet. */
export const COMPUTING = "computing";

/** The answer once it is whole; after ten seconds as it is then, still `pending`. */
export async function computed<T>(api: Api, path: string, query: Call["query"] = {}, until = inAWhile()): Promise<T> {
  for (;;) {
    const answer = await api.call<T>(path, { query });
    if (!isPending(answer) || performance.now() >= until) return answer;
    await sleep(AGAIN_MS);
  }
}

/** All items of a list, waited for in the same way; `pending` where one of its pages still was. */
export async function computedList<T>(
  api: Api,
  path: string,
  query: Call["query"] = {},
): Promise<List<T> & { pending?: boolean }> {
  const until = inAWhile();
  const items: T[] = [];
  let pending = false;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: List<T> = await computed(api, path, { ...query, limit: "500", cursor }, until);
    items.push(...page.items);
    pending ||= isPending(page);
    cursor = page.next;
  }
  return { items, next: null, ...(pending ? { pending } : {}) };
}

function inAWhile(): number {
  return performance.now() + WAIT_MS;
}
