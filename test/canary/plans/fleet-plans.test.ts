import { afterEach, expect, test } from "vitest";
import type { Percentiles, PlanResult } from "@/server/domain/canary";
import type { Rate } from "@/server/domain/rate";
import { type StandIn, type StandInOptions, startStandIn } from "../../support/stand-in/server";
import { KEY, targetAt } from "../fleet";
import { runPlan } from "../run-plan";

const open: StandIn[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) {
    expect(one.sandboxes.size).toBe(0);
    await one.close();
  }
});

async function fleet(options: StandInOptions = {}, more: Record<string, unknown> = {}) {
  const standIn = await startStandIn({ apiKey: KEY, ...options });
  open.push(standIn);
  return { standIn, target: targetAt(standIn.url, more) };
}

/** Cycles that counted, and those left out because another program of this machine was in our way. */
const tried = ({ trials }: PlanResult) => (trials?.n ?? 0) + (trials?.ownFaults ?? 0);

test("smoke says in one sentence where the sandbox ran, or which step failed and why", async () => {
  const { standIn, target } = await fleet({ nodes: ["gpu-07"] });
  const good = await runPlan(target, "smoke", { commands: 2 });
  standIn.faults.cutStreams = true;
  const bad = await runPlan(target, "smoke");
  expect(good.result.sentence).toMatch(/^A sandbox came up, ran 2 commands and was deleted in \d+\.\d s on gpu-07\.$/);
  expect(bad.result.sentence).toMatch(/^The cycle failed at exec: transport.stream_truncated/);
  expect([good.result.ok, bad.result.ok]).toEqual([true, false]);
});

// Again where our own loop was late so long that every try was left out: then nothing was measured.
const AGAIN = { retry: 2 };

test.each([0, 300, 2_000])(
  "create-race measures a bind delay of %d ms to 50 ms, and counts the 502s inside as bind races",
  AGAIN,
  async (bindDelayMs) => {
    const { target } = await fleet({ faults: { bindDelayMs } });
    const { result } = await runPlan(target, "create-race", { tries: 6 });
    const bind = result.detail.bindMs as Percentiles;
    expect(tried(result)).toBe(6);
    expect(bind.n).toBe(result.trials?.n);
    for (const seen of [bind.min, bind.p50, bind.max]) expect(Math.abs(seen - bindDelayMs)).toBeLessThanOrEqual(50);
    expect(result.ok).toBe(true);
    const inside = result.detail.inside502 as Record<string, number>;
    expect(Object.keys(inside)).toEqual(bindDelayMs > 0 ? ["proxy.bind_race"] : []);
    if (bindDelayMs > 0) {
      expect(inside["proxy.bind_race"]).toBeGreaterThan(bind.n);
      expect(Object.keys(result.detail.classesWithout as object)).toEqual(["proxy.bind_race"]);
      expect(result.trials?.failed).toBe(bind.n);
    }
  },
);

test.each([
  [503, "Service Unavailable", "gateway.unavailable"],
  [429, { code: "KUBERNETES::POOL_CAPACITY_EXHAUSTED", message: "pool is full" }, "control.unschedulable"],
])("a burst that meets a storm of %d classifies it, backs off and comes through", async (status, body, name) => {
  const { target } = await fleet({ faults: { createStorm: { status, body, retryAfterS: 1, until: 3 } } });
  const { result } = await runPlan(target, "burst", { cycles: 10, rampS: 0 });
  expect([tried(result), result.trials?.failed]).toEqual([10, 0]);
  expect(result.detail.refusals).toMatchObject({ byStatus: { [status]: 3 }, classes: { [name]: 3 }, givenUp: 0 });
});

test("a burst never has more sandboxes at once than the target allows, and says so", async () => {
  const { standIn, target } = await fleet({}, { bounds: { maxConcurrent: 3 } });
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, standIn.sandboxes.size)), 2);
  const { result } = await runPlan(target, "burst", { cycles: 9, rampS: 0 });
  clearInterval(watch);
  expect(most).toBeLessThanOrEqual(3);
  expect(result.sentence).toContain("(3 at once: the target's bound)");
});

test("creates a minute are bounded: those above it wait, and a cancel ends the wait", async () => {
  const { standIn, target } = await fleet({}, { bounds: { maxCreatesPerMinute: 2 } });
  const { result } = await runPlan(target, "burst", { cycles: 4, rampS: 0 }, AbortSignal.timeout(1_500));
  expect([standIn.created, tried(result)]).toEqual([2, 2]);
});

test.each([false, true])(
  "memory-limit: killed just over the limit and reported so (older server that hides it: %s)",
  async (silentOom) => {
    const { target } = await fleet({ faults: { memoryLimitBytes: 64 << 20, silentOom } });
    const { result } = await runPlan(target, "memory-limit", { limitMiB: 64, steps: 2 });
    expect(result.ok).toBe(true);
    expect(result.detail.ending).toMatchObject({ sandboxDied: true, lastState: "exit=137, reason=OOMKilled" });
    expect(result.sentence).toBe("At 80 MiB of 64 MiB the sandbox was killed, and it was reported as out of memory.");
  },
);

test("memory-limit: a death that nobody explains is said to be unexplained, and a limit that does not hold too", async () => {
  const hidden = await fleet({ faults: { memoryLimitBytes: 64 << 20, silentOom: true, noInspect: true } });
  const { result } = await runPlan(hidden.target, "memory-limit", { limitMiB: 64, steps: 1 });
  expect(result).toMatchObject({ ok: false, detail: { ending: { sandboxDied: true, shown: ["stream_cut"] } } });
  const loose = await fleet({});
  const held = await runPlan(loose.target, "memory-limit", { limitMiB: 64, steps: 1 });
  expect(held.result.sentence).toMatch(/nothing was killed: the limit does not hold/);
});

const NODES = Array.from({ length: 8 }, (_, i) => `node-${i + 1}`);

test("node-check finds the one bad node of eight", AGAIN, async () => {
  const { target } = await fleet({ nodes: NODES, faults: { badNodes: ["node-5"] } });
  const { result } = await runPlan(target, "node-check", { nodes: NODES, minPerNode: 4 });
  expect(result.detail).toMatchObject({ suspects: ["node-5"], fleetWide: false, unseen: [] });
  expect(result.ok).toBe(false);
  expect(result.sentence).toContain("node-5");
});

test(
  "node-check flags no node of a good fleet, and says when it had to guess which nodes there are",
  AGAIN,
  async () => {
    const { target } = await fleet({ nodes: NODES });
    const { result } = await runPlan(target, "node-check", { minPerNode: 3 });
    expect(result).toMatchObject({ ok: true, detail: { suspects: [], known: false } });
    expect((result.detail.nodes as unknown[]).length).toBe(8);
  },
);

test("node-check names known nodes that no sandbox ever met", AGAIN, async () => {
  const { target } = await fleet({ nodes: ["a"] });
  const { result } = await runPlan(target, "node-check", { nodes: ["a", "b"], minPerNode: 1, maxCycles: 4 });
  expect(result.detail).toMatchObject({ unseen: ["b"], known: true });
});

test("replay does a run's gaps again and counts failures by idle time", async () => {
  const { target } = await fleet();
  const { result } = await runPlan(target, "replay", { gapsS: [0, 0.2, 0.4], sandboxes: 3 });
  const commands = result.trials?.n ?? 0;
  expect(result.trials).toMatchObject({ failed: 0 });
  expect(commands / 3 + (result.trials?.ownFaults ?? 0)).toBe(3);
  const bands = commands > 0 ? [{ toS: 1, rate: expect.objectContaining({ k: 0, n: commands }) }] : [];
  expect(result.detail.bands).toEqual(bands);
});

test("ab runs both arms in turns and compares them", AGAIN, async () => {
  const { target } = await fleet({ faults: { bindDelayMs: 150 } });
  const { result } = await runPlan(target, "ab", {
    plan: "smoke",
    a: { transport: { profile: "fresh" } },
    b: { transport: { profile: "bounded" }, limits: { memory: "256Mi" } },
    rounds: 4,
  });
  const { rates, ownFaults, verdict } = result.detail as {
    rates: Record<"a" | "b", Rate>;
    ownFaults: Record<"a" | "b", number>;
    verdict: string;
  };
  expect([rates.a.n + ownFaults.a, rates.b.n + ownFaults.b, verdict]).toEqual([4, 4, "too_little_data"]);
  expect(result.sentence).toMatch(/^Too little data: fresh lost 0 % \(0 of \d\), bounded, 256Mi limit lost 0 %/);
});
