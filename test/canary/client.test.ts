import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startCanaries } from "@/server/canary/client";
import type { CanaryService } from "@/server/canary/service";
import type { CanaryEvent } from "@/server/domain/canary";
import { readSettings } from "@/server/settings";
import { openServices, type Services } from "@/server/wire";
import { bundle } from "../support/bundle";
import { type StandIn, startStandIn } from "../support/stand-in/server";
import { KEY } from "./fleet";

const script = bundle("server/canary/worker.ts");
let folder = "";
let standIn: StandIn;
let store: Services;
let canaries: CanaryService | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "coalmine-canary-"));
  standIn = await startStandIn({ apiKey: KEY, nodes: ["gpu-07"] });
  process.env.FLEET_KEY = KEY;
  store = await openServices({ settings: readSettings({ COALMINE_DATA: folder }), inline: true });
});
afterEach(async () => {
  await canaries?.stop();
  canaries = null;
  await store.close();
  await standIn.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(config = `targets:\n  - name: here\n    baseUrl: ${standIn.url}\n    apiKeyEnv: FLEET_KEY\n`) {
  const configPath = join(folder, "coalmine.config.yaml");
  await writeFile(configPath, config);
  canaries = await startCanaries({
    script: await script,
    dataDir: folder,
    configPath,
    deliver: (body, { target, cluster }) =>
      store.ingest({
        params: {
          format: "canary",
          run: null,
          source: `canary/${target}`,
          node: null,
          cluster,
          tz: null,
          origin: "canary",
        },
        name: null,
        encoding: null,
        body: (async function* () {
          yield body;
        })(),
        signal: new AbortController().signal,
      }),
    timing: { leaseMs: 500, goneWithinMs: 500 },
  });
  return canaries;
}

async function eventsOf(service: CanaryService, id: string, after = 0): Promise<CanaryEvent[]> {
  const events: CanaryEvent[] = [];
  for await (const event of service.events(id, after, AbortSignal.timeout(10_000))) events.push(event);
  return events;
}

test("a run in the thread is followed live to its end, and again from any event on", async () => {
  const service = await start();
  const { id } = await service.submit({ target: "here", plan: "smoke", options: {}, by: "test" });
  const live = await eventsOf(service, id);
  expect(live.at(-1)).toMatchObject({ type: "state", data: { state: "passed" } });
  expect(live.filter((one) => one.type === "step").map((one) => one.data.name)).toContain("exec");
  expect(await eventsOf(service, id, 3)).toEqual(live.slice(3));
  expect(await service.get(id)).toMatchObject({ state: "passed", cycles: [{ node: "gpu-07" }] });
});

test("targets show their state and bounds and whether a key is there, never the key", async () => {
  const service = await start();
  const { id } = await service.submit({ target: "here", plan: "smoke", options: {}, by: "test" });
  await eventsOf(service, id);
  const targets = await service.targets();
  expect(targets).toEqual([
    expect.objectContaining({
      name: "here",
      hasKey: true,
      running: 0,
      queued: 0,
      last: expect.objectContaining({ id }),
    }),
  ]);
  expect(JSON.stringify(targets)).not.toContain(KEY);
});

// Once more where our own loop was late for the failed command: then it is no evidence.
test("what a canary saw becomes evidence like any other, of origin canary, once", { retry: 2 }, async () => {
  const service = await start();
  standIn.faults.badNodes = ["gpu-07"];
  const { id } = await service.submit({ target: "here", plan: "smoke", options: {}, by: "test" });
  await eventsOf(service, id);
  const found = async () =>
    (await store.store.listIncidents({ origins: ["canary"] }, { limit: 10, cursor: null })).items;
  for (let tries = 0; (await found()).length === 0 && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await store.settle();
  }
  const incidents = await found();
  expect(incidents).toHaveLength(1);
  expect(incidents[0]).toMatchObject({ origin: "canary", node: "gpu-07", run: null });
  // The daemon had answered a ping: within seconds of the create, and yet no race.
  expect(incidents[0]?.class).toBe("proxy.backend_502");
  const counted = await store.store.countObservations({ origins: ["canary"] });
  // Left out where our own loop was late in some step of it.
  expect(counted.find((row) => /^canary (failed|left out)$/.test(row.label ?? ""))?.n).toBe(1);
  const waiting = async () => (await readdir(join(folder, "canaries"))).filter((name) => name.endsWith(".evidence"));
  await expect.poll(waiting).toEqual([]);
});

test.each([
  ["targets: [{name: A b, baseUrl: http://h}]", /targets\.0\.name: must be lower-case/],
  ["targets: [{name: a, baseUrl: 'http://u:p@h'}]", /must hold no user or password/],
  ["targets: {", /cannot be read/],
])("a wrong configuration stops the start with the place and the reason", async (config, reason) => {
  await expect(start(config)).rejects.toThrow(reason);
});
