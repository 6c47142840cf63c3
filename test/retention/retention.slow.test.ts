import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "@/db/open-store";
import { gatherCases } from "@/server/derive/gather";
import { queueRun, settleAll } from "@/server/derive/settle";
import type { RunSettings } from "@/server/domain/run";
import type { Store } from "@/server/domain/store";
import { rolloutDetail } from "@/server/queries/rollout-detail";
import { Keeper } from "@/server/retention/keeper";
import { sweep } from "@/server/retention/sweep";
import { openMemory, send } from "../support/deliveries";
import { demoStore } from "../support/demo-store";

const DAY = 24 * 3600 * 1000;
const ALL = { limit: 1000, cursor: null };
const still = new AbortController().signal;

/** Read once; each test has a copy of its own. */
const folder = mkdtempSync(join(tmpdir(), "coalmine-retention-"));
let copies = 0;
let dataDir: string;
let store: Store;
beforeAll(async () => {
  await (await demoStore(join(folder, "demo"))).close();
}, 120_000);
beforeEach(async () => {
  dataDir = join(folder, `copy-${copies++}`);
  cpSync(join(folder, "demo"), dataDir, { recursive: true });
  store = await openStore({ dataDir });
});
afterEach(() => store.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verdicts = (runs?: string[]) => store.countRollouts({ runs }, ["run", "verdict", "class"]);
const evidence = async (): Promise<number> => (await store.countObservations({})).reduce((sum, row) => sum + row.n, 0);
async function timesOf(run: string): Promise<{ first: number; last: number }> {
  const [facts] = await store.runFacts({ runs: [run] });
  return { first: facts?.firstAt ?? 0, last: facts?.lastAt ?? 0 };
}

function settingsOf(id: string): RunSettings {
  const nothing = { name: null, planned: null, config: {}, notes: null, labels: {}, aliases: [] };
  return { ...nothing, id, passAt: 1, endedAt: null, updatedAt: 0 };
}

describe("letting go of what is old", () => {
  test("changes nothing where nothing is old enough", async () => {
    const before = [await verdicts(), await evidence()];
    const { first } = await timesOf("swe-2gi");
    expect(await sweep(store, first - 30 * DAY, still)).toEqual({ observations: 0, runs: [] });
    expect([await verdicts(), await evidence()]).toEqual(before);
  });

  test("takes runs that are over whole, and leaves the others as they were", async () => {
    const runs = ["swe-2gi", "swe-8gi", "swe-8gi-bounded"];
    const ends = await Promise.all(runs.map(async (run) => (await timesOf(run)).last));
    const cut = Math.min(...ends) + 1;
    const gone = runs[ends.indexOf(Math.min(...ends))] ?? "";
    const others = runs.filter((run) => run !== gone);
    const kept = await verdicts(others);
    const swept = await sweep(store, cut, still);
    expect(swept.runs).toEqual([gone]);
    expect(await store.countRollouts({ runs: [gone] }, [])).toMatchObject([{ n: 0 }]);
    expect(await verdicts(others)).toEqual(kept);
    expect((await store.runFacts({})).map((one) => one.run)).not.toContain(gone);
  });

  test("leaves an old run whole while a label that counts as it has something new, also where that has settings of its own", async () => {
    const memory = await openMemory();
    const line = (day: string) => `2026-${day} 10:00:00,000 ERROR trainer: Connection reset by peer`;
    await send(memory, line("01-05"), { run: "old" });
    await send(memory, line("06-05"), { run: "retry" });
    await memory.putRunSettings({ ...settingsOf("old"), aliases: ["retry"] });
    await memory.putRunSettings({ ...settingsOf("retry"), notes: "the same night, started again" });
    const swept = await sweep(memory, Date.parse("2026-03-01T00:00:00Z"), still);
    expect(swept.runs).toEqual([]);
    expect((await memory.runFacts({})).map((one) => one.run)).toContain("retry");
    await memory.close();
  });

  test("of a run that goes on drops the old evidence, and its verdicts stand whatever is derived later", async () => {
    const run = "swe-2gi";
    const { first, last } = await timesOf(run);
    const middle = (first + last) / 2;
    const before = await verdicts([run]);
    const incidents = (await store.countIncidents({ runs: [run] }, []))[0]?.incidents ?? 0;
    const pieces = await evidence();
    const { observations } = await sweep(store, middle, still);
    expect(observations).toBeGreaterThan(0);
    expect(await evidence()).toBe(pieces - observations);
    expect(await verdicts([run])).toEqual(before);
    expect((await store.countIncidents({ runs: [run] }, []))[0]?.incidents).toBeLessThan(incidents);

    // A setting that makes every verdict of the run be derived again.
    const settings = await store.runSettings(run);
    if (settings) await store.putRunSettings({ ...settings, passAt: 0.5 });
    await queueRun(store, [run]);
    await settleAll(store);
    expect(await verdicts([run])).toEqual(before);
    const rows = (await store.listRollouts({ runs: [run] }, ALL)).items;
    const old = rows.find((row) => row.frozen);
    expect(old && (await rolloutDetail(store, { id: old.id }))).toMatchObject({
      frozen: true,
      verdict: old?.verdict,
      reason: expect.stringContaining("Older than the retention"),
    });
    expect(rows.every((row) => (row.frozen ?? false) === (row.at !== null && row.at < middle))).toBe(true);
  });

  test("never takes half of a subject: what it leaves has something new", async () => {
    const { first, last } = await timesOf("swe-2gi");
    const middle = (first + last) / 2;
    await sweep(store, middle, still);
    const left = (await store.observationsBefore(middle, true, ALL)).items;
    const subjects = [...new Set(left.flatMap((one) => one.refs.slice(0, 1)))];
    const { cases } = await gatherCases(store, subjects, (label) => [label]);
    const isNew = (at: number | null) => at !== null && at >= middle;
    for (const one of left) {
      const around = [...cases.values()].filter((file) => file.observations.some((other) => other.key === one.key));
      const times = around.flatMap((file) => [
        ...file.observations.map((other) => other.at),
        ...file.rollouts.map((rollout) => rollout.endedAt ?? rollout.startedAt),
      ]);
      expect([one.key, times.some(isNew)]).toEqual([one.key, true]);
    }
    const again = await sweep(store, middle, still);
    expect(again).toEqual({ observations: 0, runs: [] });
  });
});

describe("the keeper", () => {
  test("without a number of days keeps everything", async () => {
    const keeper = new Keeper(store, { days: null });
    await keeper.sweep();
    expect(await keeper.state()).toMatchObject({ days: null, before: null, older: null, runs: [], last: null });
  });

  test("says what would go, drops it at whole days, and remembers what it did", async () => {
    const { last } = await timesOf("swe-2gi");
    const now = () => last + 40 * DAY;
    const keeper = new Keeper(store, { days: 30, now });
    const foretold = await keeper.state();
    expect(foretold.before?.slice(10)).toBe("T00:00:00.000Z");
    expect(foretold.runs).toContain("swe-2gi");
    expect(foretold.older?.observations).toBeGreaterThan(0);
    await keeper.sweep();
    const after = await keeper.state();
    expect(after.last).toMatchObject({ at: new Date(now()).toISOString(), runs: foretold.runs });
    expect(after).toMatchObject({ runs: [], givesSpaceBack: true, older: { observations: 0 } });
  });

  test("says why a sweep did not come to its end", async () => {
    const { last } = await timesOf("swe-2gi");
    const reader = await openStore({ dataDir, readOnly: true });
    const keeper = new Keeper(reader, { days: 30, now: () => last + 40 * DAY });
    expect((await keeper.state()).problem).toBe(null);
    await expect(keeper.sweep()).rejects.toThrow();
    expect((await keeper.state()).problem).toMatch(/\w/);
    await reader.close();
  });

  test("that is stopped drops nothing more", async () => {
    const { last } = await timesOf("swe-2gi");
    const keeper = new Keeper(store, { days: 1, now: () => last + 400 * DAY });
    await keeper.stop();
    const before = await evidence();
    await keeper.sweep();
    expect(await evidence()).toBe(before);
  });
});
