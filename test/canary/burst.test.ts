import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { startCanaries } from "@/server/canary/client";
import { bundle } from "../support/bundle";
import { startStandInProcess } from "../support/stand-in/process";

const BAR_MS = 20;
/** On a quiet machine an idle loop is less late than this. */
const QUIET_MS = 5;

/** A thread whose loop has nothing to do: what it is late by is this machine's doing. `stop` resolves to its p99 in ms. */
function idleLoop(): { stop(): Promise<number> } {
  const source = `
    const { monitorEventLoopDelay } = require("node:perf_hooks");
    const { parentPort } = require("node:worker_threads");
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    parentPort.once("message", () => parentPort.postMessage(Math.max(0, loop.percentile(99) / 1e6 - 5)));`;
  const worker = new Worker(source, { eval: true });
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once("error", reject);
        worker.once("message", (p99: number) => {
          void worker.terminate();
          resolve(p99);
        });
        worker.postMessage("stop");
      }),
  };
}

// The bar holds as it is on a quiet machine; where an idle thread is late too, by as much as that. Once more where other
// programs held the processor in pieces that the two threads did not share alike.
test("300 cycles at once from one thread, through a storm of refusals, with a quiet event loop and nothing left", {
  timeout: 120_000,
  retry: 1,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "coalmine-burst-"));
  const createStorm = { status: 503, body: "Service Unavailable", retryAfterS: 1, until: 8 };
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
  const idle = idleLoop();
  const { id } = await canaries.submit({ target: "here", plan: "burst", options, by: "test" });
  for await (const event of canaries.events(id, 0, AbortSignal.timeout(110_000))) void event;
  const idleP99Ms = await idle.stop();
  const { result, state } = await canaries.get(id);
  const left = await standIn.count();
  await canaries.stop();
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
  const p99Ms = result?.detail.loopDelayP99Ms as number;
  console.info(`burst of 300: event loop p99 ${p99Ms} ms; of an idle thread meanwhile ${idleP99Ms.toFixed(1)} ms`);
  expect(state).toBe("passed");
  expect(result?.trials?.failed).toBe(0);
  expect(result?.detail.refusals).toMatchObject({ byStatus: { 503: 8 }, classes: { "gateway.unavailable": 8 } });
  // A machine on which a thread without work is later than the bar cannot tell of one with work.
  if (idleP99Ms <= BAR_MS) expect(p99Ms).toBeLessThanOrEqual(BAR_MS + Math.max(0, idleP99Ms - QUIET_MS));
  expect([left.created, left.sandboxes]).toEqual([300, 0]);
});
