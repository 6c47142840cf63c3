import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "@/db/open-store";
import { compare } from "@/server/queries/compare";
import { failures } from "@/server/queries/failures";
import { nodes } from "@/server/queries/nodes";
import { runSummary } from "@/server/queries/run-summary";
import { readSettings } from "@/server/settings";
import { openServices, type Services } from "@/server/wire";
import { buildBundles } from "../../deploy/build.mjs";
import { seedRows, seedRunName } from "../bench/seed-rows";
import { madeBatch, madeSettings, NO_COUNTS } from "../store/made-rows";
import { cpuMillisecondsUntil } from "../support/cpu-time";

/** Inside the product, so that the bundles find the packages that stay outside of them. */
const dist = join(process.cwd(), "dist", `test-compute-${process.pid}`);
const dataDir = join(dist, "data");
const run = seedRunName(0);
const NOW = Date.UTC(2027, 0, 1);
const SETTINGS = madeSettings({ id: "r-empty", updatedAt: NOW });
let services: Services | undefined;

beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true });
  await buildBundles(dist);
  const store = await openStore({ dataDir });
  await store.openBatch(madeBatch({ id: "b", run }));
  const { facts, verdicts, incidents } = seedRows(0, 0, 4000);
  await store.append("b", { ...facts, observations: [] }, NO_COUNTS);
  await store.closeBatch("b", "d", "gym-rollouts", NOW);
  const groups = verdicts.map((one) => one.group);
  const subjects = incidents.map((one) => one.ref);
  await store.settle({ refs: [], subjects, incidents, groups, verdicts, queue: [] });
  await store.close();
}, 120_000);

afterEach(() => services?.close());
afterAll(() => rmSync(dist, { recursive: true, force: true }));

async function open(): Promise<Services> {
  services = await openServices({ settings: readSettings({ COALMINE_DATA: dataDir }), distDir: dist });
  return services;
}

describe("a run of 4 000 rollouts", () => {
  test("is answered at once with exact counts, and whole once its figures are computed", async () => {
    const { store } = await open();
    const asked = [runSummary(store, { run, now: NOW }), runSummary(store, { run, now: NOW, whole: true })] as const;
    const [first, whole] = await Promise.all(asked);
    expect(whole.pending).toBeUndefined();
    expect(whole.passAt1.infraExcluded?.low).toBeLessThan(whole.passAt1.infraExcluded?.value ?? 0);
    expect(first).toMatchObject({ rollouts: 4000, infraFailed: whole.infraFailed, byFamily: whole.byFamily });
    if (first.pending) expect(first.passAt1.infraExcluded).toBeNull();
  });

  test("is compared exactly at once, and whole once tasks are resampled", async () => {
    const { store } = await open();
    const pair = { baseline: run, candidate: "r-empty", paired: "auto" as const, now: NOW };
    await store.putRunSettings(SETTINGS);
    const asked = [compare(store, pair), compare(store, { ...pair, whole: true })] as const;
    const [first, whole] = await Promise.all(asked);
    expect(whole.pending).toBeUndefined();
    expect(first.baseline).toEqual(whole.baseline);
    if (first.pending) expect(first.metrics.every((one) => one.paired === null)).toBe(true);
  });

  test("has failures of all runs that are counted elsewhere, and for a file waits for them", async () => {
    const { store } = await open();
    const asked = { by: ["class" as const, "node" as const], page: { limit: 500, cursor: null } };
    const [soon, whole] = await Promise.all([failures(store, asked), failures(store, { ...asked, whole: true })]);
    expect(whole.pending).toBeUndefined();
    expect(soon.pending ? soon.items : whole.items).toEqual(soon.items);
    const ofRun = await failures(store, { ...asked, runs: [run] });
    expect(whole).toEqual(ofRun);
  });

  test("has the figures that this thread would compute, and costs it little", async () => {
    const { store } = await open();
    let whole: unknown;
    const asking = await cpuMillisecondsUntil(async () => {
      whole = await runSummary(store, { run, now: NOW, whole: true });
    });
    const judged = await untilTested(store);
    await services?.close();
    services = undefined;
    const inline = await openServices({ settings: readSettings({ COALMINE_DATA: dataDir }), inline: true });
    const computing = await cpuMillisecondsUntil(async () => {
      expect(whole).toEqual(await runSummary(inline.store, { run, now: NOW, whole: true }));
    });

    expect(asking).toBeLessThan(computing / 4);
    expect(judged).toEqual(await nodes(inline.store, { page: { limit: 100, cursor: null } }));
    await inline.close();
  });
});

async function untilTested(store: Services["store"]) {
  for (;;) {
    const answer = await nodes(store, { page: { limit: 100, cursor: null } });
    if (!answer.pending) return answer;
  }
}
