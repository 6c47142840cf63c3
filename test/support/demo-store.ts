import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import { demoFleet } from "@/server/demo/demo-fleet";
import type { IngestResult } from "@/server/domain/batch";
import type { Store } from "@/server/domain/store";
import { send } from "./deliveries";

/** The day after the demo fleet's story. */
export const DEMO_NOW = Date.UTC(2026, 10, 28);

/** A store, in memory unless a folder is given, that holds the demo fleet, read by the real pipeline. */
export async function demoStore(dataDir = ":memory:"): Promise<Store> {
  const store = await openSqliteStore({ dataDir });
  await sendDemo(store);
  return store;
}

/** Delivers the demo fleet; what came of each delivery, by its name. */
export async function sendDemo(store: Store): Promise<Map<string, IngestResult>> {
  const results = new Map<string, IngestResult>();
  const fleet = demoFleet();
  for (const settings of fleet.settings) await store.putRunSettings(settings);
  for (const { params, name, bytes } of fleet.deliveries) {
    results.set(name, await send(store, bytes, params, { receivedAt: DEMO_NOW, name }));
  }
  return results;
}
