import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import { demoFleet } from "@/server/demo/demo-fleet";
import type { Store } from "@/server/domain/store";
import { ingest } from "@/server/ingest/ingest";

/** The day after the demo fleet's story. */
export const DEMO_NOW = Date.UTC(2026, 10, 28);

/** A store, in memory unless a folder is given, that holds the demo fleet, read by the real pipeline. */
export async function demoStore(dataDir = ":memory:"): Promise<Store> {
  const store = await openSqliteStore({ dataDir });
  const fleet = demoFleet();
  for (const settings of fleet.settings) await store.putRunSettings(settings);
  for (const { params, name, bytes } of fleet.deliveries) {
    const chunks = async function* () {
      yield bytes;
    };
    await ingest(store, params, chunks(), { receivedAt: DEMO_NOW, name });
  }
  return store;
}
