import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "@/db/open-store";
import { BUILT_IN, type Classifier } from "@/server/classify/classifier";
import type { Store } from "@/server/domain/store";
import { Reclassifier } from "@/server/reclassify/reclassifier";
import { demoStore } from "../support/demo-store";

/** Rules of another day: they took every kill for want of memory for a kill without a reason. */
const OLDER: Classifier = {
  version: "0-older",
  classify(evidence, from) {
    const found = BUILT_IN.classify(evidence, from);
    return found.class === "pod.oom_killed" ? { ...found, class: "pod.killed_unknown" } : found;
  },
};

let store: Store;
beforeAll(async () => {
  store = await demoStore();
}, 120_000);
afterEach(() => judgeAll(BUILT_IN));
afterAll(() => store.close());

async function judgeAll(rules: Classifier): Promise<void> {
  const job = new Reclassifier(store, rules);
  await job.start("run");
  await job.idle();
  expect((await job.state()).problem).toBeNull();
}

async function picture() {
  const classes = await store.countIncidents({}, ["class", "outcome"]);
  const verdicts = await store.countRollouts({}, ["run", "verdict", "family", "class"]);
  return { classes, verdicts };
}

const lostFor = async (name: string): Promise<number> =>
  (await store.countRollouts({ classes: [name] }, [])).reduce((sum, row) => sum + row.n, 0);

describe("judging what is stored by other rules", () => {
  test("gives the same answers as if it had been judged so at first", async () => {
    const first = await picture();
    await judgeAll(OLDER);
    expect(await picture()).not.toEqual(first);
    expect(await lostFor("pod.oom_killed")).toBe(0);
    await judgeAll(BUILT_IN);
    expect(await picture()).toEqual(first);
  });

  test("is foretold by its preview, which changes nothing", async () => {
    const lost = await lostFor("pod.oom_killed");
    await judgeAll(OLDER);
    const before = await picture();
    const version = await store.dataVersion();
    const job = new Reclassifier(store);
    await job.start("preview");
    await job.idle();
    const { preview, stale, state } = await job.state();
    expect([await store.dataVersion(), state]).toEqual([version, "idle"]);
    expect(await picture()).toEqual(before);
    expect(stale).toBeGreaterThan(0);
    expect(preview?.evidence).toMatchObject([{ before: "pod.killed_unknown", after: "pod.oom_killed" }]);
    expect(preview?.evidence[0]?.n).toBe(preview?.changed);
    expect(preview?.evidence[0]?.samples[0]?.text.length).toBeGreaterThan(5);
    expect(preview?.derivedOnly).toBeNull();
    const moved = preview?.rollouts.filter((move) => move.after.class === "pod.oom_killed") ?? [];
    expect(moved.reduce((sum, move) => sum + move.n, 0)).toBe(lost);
    expect(moved[0]?.samples[0]).toMatchObject({ run: expect.stringMatching(/^swe-/) });
    expect(preview?.incidents).toMatchObject([{ before: "pod.killed_unknown", after: "pod.oom_killed" }]);
    await judgeAll(BUILT_IN);
    expect(await lostFor("pod.oom_killed")).toBe(lost);
  });

  test("has nothing to do when all is judged by today's rules", async () => {
    const job = new Reclassifier(store);
    expect((await job.state()).stale).toBe(0);
    const version = await store.dataVersion();
    await job.start("preview");
    await job.idle();
    expect((await job.state()).preview).toMatchObject({ observations: 0, changed: 0, evidence: [], rollouts: [] });
    expect(await store.dataVersion()).toBe(version);
  });

  test("one at a time", async () => {
    await judgeAll(OLDER);
    const job = new Reclassifier(store);
    await job.start("run");
    await expect(job.start("preview")).rejects.toMatchObject({ code: "conflict" });
    await job.idle();
    expect((await job.state()).last).toMatchObject({ changed: expect.any(Number) });
  });

  test("that was interrupted goes on at the next start, unless the rules have changed again", async () => {
    const first = await picture();
    await judgeAll(OLDER);
    const interrupted = new Reclassifier(store);
    await interrupted.start("run");
    await interrupted.stop();
    const next = new Reclassifier(store);
    expect((await next.state()).stale).toBeGreaterThan(0);
    await next.resume();
    await next.idle();
    expect(await picture()).toEqual(first);
    expect((await next.state()).stale).toBe(0);

    await store.putSetting("reclassify", "0-of-yet-others");
    await next.resume();
    expect((await next.state()).state).toBe("idle");
  });
});

test("an empty store has nothing to judge", async () => {
  const empty = await openStore({ dataDir: ":memory:" });
  expect(await new Reclassifier(empty).state()).toMatchObject({ stale: 0, state: "idle", done: 0, total: 0 });
  await empty.close();
});
