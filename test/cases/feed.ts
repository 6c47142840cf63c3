/** Sends bytes through the whole ingest path into a real store in memory, and reads back what came of it. */
import { openStore } from "@/db/open-store";
import type { DeliveryParams, IngestResult } from "@/server/domain/batch";
import type { Page, PageOf, Store } from "@/server/domain/store";
import { ingest } from "@/server/ingest/ingest";
import type { Outcome } from "./expectation";

export const RECEIVED_AT = Date.parse("2026-11-01T00:00:00Z");

export function openMemory(): Promise<Store> {
  return openStore({ dataDir: ":memory:" });
}

export function send(store: Store, bytes: Uint8Array, params: Partial<DeliveryParams> = {}): Promise<IngestResult> {
  async function* chunks() {
    yield bytes;
  }
  const full: DeliveryParams = {
    format: "auto",
    run: null,
    source: "test",
    node: null,
    cluster: "default",
    tz: null,
    origin: "fleet",
    ...params,
  };
  return ingest(store, full, chunks(), { receivedAt: RECEIVED_AT, name: null });
}

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

export async function readAll(store: Store, batchId: string): Promise<Outcome> {
  return {
    incidents: await everything((page) => store.listIncidents({}, page)),
    rollouts: await everything((page) => store.listRollouts({}, page)),
    rejects: await everything((page) => store.rejects(batchId, page)),
  };
}
