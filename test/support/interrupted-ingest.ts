/** A process that begins a long delivery into the store in its first argument, says so when half is written, and waits to be killed. */
import { openStore } from "@/db/open-store";
import { ingest } from "@/server/ingest/ingest";
import { fleetLines } from "./fleet-lines";

const [dataDir = ""] = process.argv.slice(2);
const store = await openStore({ dataDir });

async function* half(): AsyncGenerator<Uint8Array> {
  const lines = fleetLines(4000);
  yield new TextEncoder().encode(lines.slice(0, 2000).join(""));
  process.stdout.write("half\n");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}

const params = { run: null, source: "test", node: null, cluster: "default", tz: null, origin: "fleet" as const };
await ingest(store, { format: "auto", ...params }, half(), {
  receivedAt: Date.parse("2026-11-21T00:00:00Z"),
  name: null,
  segment: { bytes: 50_000, rows: 100 },
});
