import { fork } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NO_CONFIG } from "@/server/canary/config";
import { Engine, type EngineOptions } from "@/server/canary/engine";
import { OpenSandbox } from "@/server/canary/opensandbox";
import { PROFILES } from "@/server/canary/profile";
import { type CanaryEvent, type CanarySummary, isOver } from "@/server/domain/canary";
import { bundle } from "../support/bundle";
import { type StandIn, startStandIn } from "../support/stand-in/server";
import { KEY, targetAt } from "./fleet";

let folder = "";
let standIn: StandIn;
const engines: Engine[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "coalmine-engine-"));
  standIn = await startStandIn({ apiKey: KEY });
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
  await standIn.close();
  await rm(folder, { recursive: true, force: true });
});

const QUICK = { leaseMs: 400, sweepEveryMs: 200, graceMs: 60_000, goneWithinMs: 500 };

async function engineFor(more: Record<string, unknown> = {}, options: Partial<EngineOptions> = {}) {
  const events: CanaryEvent[] = [];
  const target = targetAt(standIn.url, { apiKeyEnv: "FLEET_KEY", ...more });
  const engine = new Engine({
    dataDir: folder,
    config: { ...NO_CONFIG, targets: [target, { ...target, name: "there" }] },
    keyOf: () => KEY,
    onEvents: (_, told) => events.push(...told),
    ...QUICK,
    ...options,
  });
  await engine.start();
  engines.push(engine);
  return { engine, events };
}

async function until<T>(what: () => Promise<T | undefined> | T | undefined, ms = 10_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const found = await what();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error("it did not come to pass");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const over = (engine: Engine, id: string) =>
  until<CanarySummary>(() => engine.list().find((one) => one.id === id && isOver(one.state)));

test("a run is queued, runs, passes, and is there with its cycles and its sentence after a restart", async () => {
  const { engine, events } = await engineFor();
  const asked = await engine.submit("here", "smoke", {}, "test");
  expect(["queued", "running"]).toContain(asked.state);
  const done = await over(engine, asked.id);
  expect(done).toMatchObject({ state: "passed", plan: "smoke", by: "test", cycles: 1 });
  const states = events.filter((one) => one.type === "state").map((one) => one.data.state);
  expect(states).toEqual(["queued", "running", "passed"]);
  expect(events.map((one) => one.id)).toEqual(events.map((_, i) => i + 1));
  await engine.stop();
  const again = await engineFor();
  const kept = await again.engine.get(asked.id);
  expect(kept.result?.sentence).toMatch(/^A sandbox came up/);
  expect(kept.cycles[0]).toMatchObject({ ok: true, node: "node-1", left: [] });
  const nodes = [engine, again.engine].map((one) => one.nodeAnswers());
  // A cycle that our own loop was late for says nothing of its node.
  const counted = kept.cycles[0]?.ownFault
    ? []
    : [expect.objectContaining({ failed: expect.objectContaining({ k: 0, n: 1 }) })];
  expect(nodes[0]).toEqual(counted);
  expect(nodes[1]).toEqual(nodes[0]);
});

test.each<[string, [string, string, unknown], RegExp]>([
  ["an unknown target", ["elsewhere", "smoke", {}], /"elsewhere" is none of the configured ones: here, there/],
  ["a target that is a URL", [`http://127.0.0.1:1`, "smoke", {}], /none of the configured ones/],
  ["an option that is a URL", ["here", "smoke", { baseUrl: "http://evil" }], /baseUrl is no option/],
])("%s is refused with the reason, and nothing is made", async (_, [target, plan, options], reason) => {
  const { engine } = await engineFor();
  await expect(engine.submit(target, plan, options, "test")).rejects.toThrow(reason);
  expect([engine.list(), standIn.created]).toEqual([[], 0]);
});

test("one run at a time on a target, another target beside it, and a queue that ends", async () => {
  const { engine } = await engineFor();
  const slow = { gapsS: [60], sandboxes: 1 };
  const ids = await Promise.all(["here", "here", "there"].map((name) => engine.submit(name, "replay", slow, "test")));
  await until(() => engine.list().filter((one) => one.state === "running").length === 2 || undefined);
  expect(engine.list().find((one) => one.id === ids[1]?.id)?.state).toBe("queued");
  for (let i = 0; i < 49; i++) await engine.submit("here", "smoke", {}, "test");
  await expect(engine.submit("here", "smoke", {}, "test")).rejects.toMatchObject({ code: "busy" });
  const started = (run: CanarySummary) => run.state === "running";
  for (const one of engine.list().filter((run) => run.state === "queued")) await engine.cancel(one.id);
  for (const one of engine.list().filter(started)) await engine.cancel(one.id);
  await Promise.all(ids.map(({ id }) => over(engine, id)));
});

test("a cancel says so at once, deletes the sandbox, and the run ends cancelled", async () => {
  const { engine } = await engineFor();
  const { id } = await engine.submit("here", "replay", { gapsS: [30], sandboxes: 2 }, "test");
  await until(() => standIn.sandboxes.size === 2 || undefined);
  const asked = Date.now();
  expect((await engine.cancel(id)).state).toBe("cancelling");
  expect(Date.now() - asked).toBeLessThan(1_000);
  expect((await over(engine, id)).state).toBe("cancelled");
  expect(standIn.sandboxes.size).toBe(0);
  await expect(engine.cancel(id)).rejects.toMatchObject({ code: "conflict" });
  await expect(engine.cancel("c-none")).rejects.toMatchObject({ code: "not_found" });
});

test("a cancelled create in flight is deleted once its id is known", async () => {
  standIn.faults.createDelayMs = 500;
  const { engine } = await engineFor();
  const { id } = await engine.submit("here", "smoke", {}, "test");
  await until(() => standIn.requests.some((one) => one.method === "POST") || undefined);
  await engine.cancel(id);
  await over(engine, id);
  expect([standIn.created, standIn.sandboxes.size]).toEqual([1, 0]);
});

test("a run is cut at the target's bound on duration, and says so", async () => {
  const { engine } = await engineFor({ bounds: { maxDurationS: 1 } });
  const { id } = await engine.submit("here", "replay", { gapsS: [30], sandboxes: 1 }, "test");
  const done = await over(engine, id);
  expect(done.notes).toEqual(["Cut short after 1 s, the target's bound on a run."]);
  expect(standIn.sandboxes.size).toBe(0);
});

test("killed in the middle of a cycle, an engine leaves nothing behind once another has started", async () => {
  const open = await startStandIn();
  const main = await bundle("test/support/canary-engine-main.ts");
  const child = fork(main, [folder, open.url, "replay", JSON.stringify({ gapsS: [60], sandboxes: 3 })], {
    execArgv: [],
  });
  await until(() => open.sandboxes.size === 3 || undefined);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  expect(open.sandboxes.size).toBe(3);
  const target = targetAt(open.url);
  const engine = new Engine({
    dataDir: folder,
    config: { ...NO_CONFIG, targets: [target] },
    keyOf: () => null,
    ...QUICK,
  });
  await engine.start();
  engines.push(engine);
  expect(engine.list()[0]).toMatchObject({ state: "interrupted" });
  await until(() => open.sandboxes.size === 0 || undefined);
  await open.close();
});

test("another installation's canaries and users' sandboxes are reported with the line that deletes them, never touched", async () => {
  const client = new OpenSandbox(targetAt(standIn.url), KEY, PROFILES.bounded);
  const spec = { image: "x", limits: {}, requests: {}, timeoutS: 60, deadlineMs: 5_000 };
  const other = { app: "coalmine-canary", "coalmine-installation": "feedfeedfeedfeed" };
  await client.create({ ...spec, metadata: other });
  const { id } = await client.create({ ...spec, metadata: { "nemo-gym.nvidia.com/run": "r-17" } });
  await client.close();
  const { engine } = await engineFor();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(standIn.sandboxes.size).toBe(2);
  expect(await engine.leftovers("here", null)).toEqual([expect.objectContaining({ whose: "other" })]);
  const [user] = await engine.leftovers("here", "r-17");
  expect(user).toMatchObject({ whose: "user", run: "r-17", sandbox: id });
  expect(user?.command).toBe(
    `curl -sS -X DELETE -H "OPEN-SANDBOX-API-KEY: $FLEET_KEY" '${standIn.url}/v1/sandboxes/${id}'`,
  );
});

test("a sandbox that outlived its delete is tried again each minute until it is gone", async () => {
  standIn.faults.stuckDelete = true;
  const { engine } = await engineFor();
  const { id } = await engine.submit("here", "smoke", {}, "test");
  const done = await over(engine, id);
  expect(done).toMatchObject({ state: "failed", notes: [expect.stringMatching(/^Still there after their delete/)] });
  standIn.faults.stuckDelete = false;
  await until(() => standIn.sandboxes.size === 0 || undefined);
});

test("schedules run again and again, never on top of themselves", async () => {
  standIn.faults.createDelayMs = 1_500;
  const { engine } = await engineFor({ schedules: [{ plan: "smoke", every: "1s" }] });
  await until(() => (engine.scheduleAnswers()[0]?.skipped ?? 0) > 0 || undefined);
  expect(standIn.sandboxes.size).toBeLessThanOrEqual(2);
  standIn.faults.createDelayMs = 0;
  const runs = await until(() =>
    engine.list().filter((one) => isOver(one.state)).length >= 3 ? engine.list() : undefined,
  );
  expect(runs.every((run) => run.by === "schedule every 1s")).toBe(true);
});

test("the key is in no file, answer or event, even when the target repeats it", async () => {
  const echo = { status: 500, body: { code: "X", message: `bad key ${KEY}` }, until: 1 };
  standIn.faults.createStorm = echo;
  const { engine, events } = await engineFor();
  for (const plan of ["smoke", "smoke"]) await over(engine, (await engine.submit("here", plan, {}, "test")).id);
  await engine.stop();
  const names = await readdir(join(folder, "canaries"));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, "canaries", name), "utf8")));
  const all = [...texts, JSON.stringify(events), JSON.stringify(engine.list())].join("\n");
  expect(all).toContain("bad key [key]");
  expect(all).not.toContain(KEY);
  expect(names.some((name) => name.endsWith(".evidence"))).toBe(true);
});
