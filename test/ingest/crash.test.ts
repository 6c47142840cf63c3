import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "@/db/open-store";
import { recover } from "@/server/ingest/ingest-recover";
import { buildBundles } from "../../deploy/build.mjs";
import { openMemory, picture, send } from "../support/deliveries";
import { fleetLines } from "../support/fleet-lines";

const dist = join(process.cwd(), "dist", `test-crash-${process.pid}`);

beforeAll(async () => {
  mkdirSync(dist, { recursive: true });
  await buildBundles(dist, { interrupted: "test/support/interrupted-ingest.ts" });
}, 60_000);
afterAll(() => rmSync(dist, { recursive: true, force: true }));

/** Kills the process without a chance to clean up once it has written half of its delivery. */
function killedInTheMiddle(dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [join(dist, "interrupted.mjs"), dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.on("data", () => child.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (_code, signal) => (signal === "SIGKILL" ? resolve() : reject(new Error("it ended by itself"))));
  });
}

test("a delivery that was killed in its middle leaves nothing, and sent again gives exactly one of each", async () => {
  const dataDir = mkdtempSync(join(dist, "data-"));
  await killedInTheMiddle(dataDir);
  const store = await openStore({ dataDir });
  const left = await store.batches({}, { limit: 10, cursor: null });
  expect(left.items).toMatchObject([{ state: "receiving" }]);
  expect(left.items[0]?.records).toBeGreaterThan(100);

  expect(await recover(store)).toBe(1);
  expect(await picture(store)).toEqual({ incidents: [], rollouts: [] });
  expect((await store.batches({}, { limit: 10, cursor: null })).items).toEqual([]);
  expect(await store.unsettledCount()).toBe(0);

  const body = fleetLines(4000).join("");
  expect(await send(store, body)).toMatchObject({ duplicateBatch: false, records: 4000, duplicates: 0 });
  const clean = await openMemory();
  await send(clean, body);
  expect(await picture(store)).toEqual(await picture(clean));
  await store.close();
});
