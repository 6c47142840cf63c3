import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { startCanaries } from "@/server/canary/client";
import { bundle } from "../support/bundle";
import { startStandInProcess } from "../support/stand-in/process";

const BAR_MS = 20;
const TICK_MS = 5;

test("300 cycles at once from one thread, through a storm of refusals, with a quiet event loop and nothing left", {
  timeout: 120_000,
}, async () => {
  // What this machine does to a loop that has nothing to do is other programs' doing; one with work meets them more often.
  const idle = monitorEventLoopDelay({ resolution: TICK_MS });
  const folder = await mkdtemp(join(tmpdir(), "coalmine-burst-"));
  const createStorm = { status: 503, body: "Service Unavailable", retryAfterS: 1, until: 60 };
  const standIn = await startStandInProcess({ faults: { createStorm } });
  const configPath = join(folder, "config.yaml");
  const bounds = "{maxConcurrent: 300, maxCreatesPerMinute: 1000}";
  await writeFile(configPath, `targets: [{name: here, baseUrl: '${standIn.url}', bounds: ${bounds}}]`);
  const canaries = await startCanaries({
    script: await bundle("server/canary/worker.ts"),
    dataDir: folder,
    configPath,
    deliver: async () => undefined,
  });
  const options = { cycles: 300, rampS: 2, commands: 1, holdS: 5 };
  idle.enable();
  const { id } = await canaries.submit({ target: "here", plan: "burst", options, by: "test" });
  for await (const event of canaries.events(id, 0, AbortSignal.timeout(110_000))) void event;
  idle.disable();
  const { result, state } = await canaries.get(id);
  const left = await standIn.count();
  await canaries.stop();
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
  expect(state).toBe("passed");
  expect(result?.trials?.failed).toBe(0);
  expect(result?.detail.refusals).toMatchObject({ byStatus: { 503: 60 }, classes: { "gateway.unavailable": 60 } });
  expect(result?.detail.loopDelayP99Ms).toBeLessThanOrEqual(BAR_MS + 3 * (idle.percentile(99) / 1e6 - TICK_MS));
  expect([left.created, left.sandboxes]).toEqual([300, 0]);
});
