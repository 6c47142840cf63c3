/** A relay in a process of its own: told its options as JSON, tells its port. */
import { type RelayOptions, startRelay } from "./relay";

const relay = await startRelay(JSON.parse(process.argv[2] ?? "{}") as RelayOptions);
process.on("disconnect", () => process.exit());
process.send?.({ port: relay.port });
