/** A process that begins a long delivery into the store in its first argument, says so when half is written, and waits to be killed. */
import { openStore } from "@/db/open-store";
import { send } from "./deliveries";
import { fleetLines } from "./fleet-lines";

const [dataDir = ""] = process.argv.slice(2);
const store = await openStore({ dataDir });

async function* half(): AsyncGenerator<Uint8Array> {
  const lines = fleetLines(4000);
  yield new TextEncoder().encode(lines.slice(0, 2000).join(""));
  process.stdout.write("half\n");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}

await send(store, half(), {}, { segment: { bytes: 50_000, rows: 100 } });
