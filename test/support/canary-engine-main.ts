/** A canary engine in a process of its own, to be killed: takes its data folder, its target and a plan, and tells each step. */
import { NO_CONFIG } from "@/server/canary/config";
import { Engine } from "@/server/canary/engine";
import { targetSchema } from "@/server/canary/target";

const [dataDir, url, plan, options] = process.argv.slice(2) as [string, string, string, string];
const target = targetSchema.parse({ name: "here", baseUrl: url });
const engine = new Engine({
  dataDir,
  config: { ...NO_CONFIG, targets: [target] },
  keyOf: () => null,
  onEvents: (_, events) => {
    for (const event of events) process.send?.(event);
  },
});
process.on("disconnect", () => process.exit());
await engine.start();
await engine.submit("here", plan, JSON.parse(options), "test");
