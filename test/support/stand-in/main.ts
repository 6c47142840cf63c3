/** A stand-in in a process of its own: told its options as JSON, tells its address, takes new faults, counts what is there. */
import type { Faults } from "./faults";
import { type StandInOptions, startStandIn } from "./server";

const options = JSON.parse(process.argv[2] ?? "{}") as StandInOptions;
const standIn = await startStandIn(options);
process.on("message", (message: { faults?: Partial<Faults>; count?: boolean }) => {
  Object.assign(standIn.faults, message.faults ?? {});
  if (message.count) process.send?.({ sandboxes: standIn.sandboxes.size, created: standIn.created });
});
process.on("disconnect", () => process.exit());
process.send?.({ url: standIn.url });
