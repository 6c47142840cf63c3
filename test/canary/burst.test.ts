import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCanaries } from "@/server/canary/client";
import { bundle } from "../support/bundle";
import { startStandInProcess } from "../support/stand-in/process";

test("300 cycles at once from one thread, through a storm of refusals, with a quiet event loop and nothing left", {
  // Tried again where another program of this machine was in the way.
  retry: 2,
  timeout: 120_000,
}, async () => {
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
  const { id } = await canaries.submit({ target: "here", plan: "burst", options, by: "test" });
  for await (const event of canaries.events(id, 0, AbortSignal.timeout(110_000))) void event;
  const { result, state } = await canaries.get(id);
  const left = await standIn.count();
  await canaries.stop();
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
  console.info(result?.sentence, result?.detail.loopDelayP99Ms, result?.detail.refusals, result?.trials);
  expect(state).toBe("passed");
  expect(result?.trials?.failed).toBe(0);
  expect(result?.detail.refusals).toMatchObject({ byStatus: { 503: 60 }, classes: { "gateway.unavailable": 60 } });
  expect(result?.detail.loopDelayP99Ms).toBeLessThanOrEqual(20);
  expect([left.created, left.sandboxes]).toEqual([300, 0]);
});
