/** Deliveries into a real store, and what came of them. */
import { openStore } from "@/db/open-store";
import type { DeliveryParams, IngestResult } from "@/server/domain/batch";
import type { Observation, Reject } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import type { Ref } from "@/server/domain/refs";
import type { RolloutRow } from "@/server/domain/rollout";
import type { Page, PageOf, Store } from "@/server/domain/store";
import { type IngestOptions, ingest } from "@/server/ingest/ingest";

export const RECEIVED_AT = Date.parse("2026-11-21T00:00:00Z");

export const openMemory = (): Promise<Store> => openStore({ dataDir: ":memory:" });

export const PARAMS: DeliveryParams = {
  format: "auto",
  run: null,
  source: "test",
  node: null,
  cluster: "default",
  tz: null,
  origin: "fleet",
};

/** A body as a stream of chunks of at most `size` bytes. */
export async function* chunksOf(body: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A whole delivery through the real ingest path; resolves when it is durable and derived. */
export function send(
  store: Store,
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
  params: Partial<DeliveryParams> = {},
  options: Partial<IngestOptions> = {},
): Promise<IngestResult> {
  const chunks = typeof body === "string" || body instanceof Uint8Array ? chunksOf(body) : body;
  return ingest(store, { ...PARAMS, ...params }, chunks, { receivedAt: RECEIVED_AT, name: null, ...options });
}

/** All pages of a list. */
export async function everything<T>(ask: (page: Page) => Promise<PageOf<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: PageOf<T> = await ask({ limit: 1000, cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

export const incidents = (store: Store): Promise<Incident[]> => everything((page) => store.listIncidents({}, page));
export const rollouts = (store: Store): Promise<RolloutRow[]> =>
  everything((page) => store.listRollouts({ effectiveOnly: false }, page));
export const rejects = (store: Store, batch: string): Promise<Reject[]> =>
  everything((page) => store.rejects(batch, page));

/** Observations filed under these refs, each once, in order of their keys. */
export async function observations(store: Store, refs: Ref[]): Promise<Observation[]> {
  const byKey = new Map((await store.observationsOf(refs)).map((row) => [row.key, row]));
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** What a reader of the store sees, in one comparable value: incidents and rollouts without their batches. */
export async function picture(store: Store): Promise<unknown> {
  const seen = await incidents(store);
  const rows = await rollouts(store);
  return {
    incidents: seen.map((one) => ({ ...one, keys: [...one.keys].sort() })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    rollouts: rows.sort((a, b) => (`${a.id}${a.content}` < `${b.id}${b.content}` ? -1 : 1)),
  };
}
