import { beforeAll, describe, expect, it } from "vitest";
import type { ExecSweep, FailureGroup, List, Overview, RunBreakdown, RunSummary } from "@/server/domain/answers";
import type { JudgedNodes } from "@/server/domain/node-judged";
import { type RealServer, realServer } from "./real-services";

/** One story, in its order. */
describe("the demo fleet", { shuffle: false }, () => {
  let server: RealServer;
  let runs: RunSummary[];
  beforeAll(async () => {
    server = await realServer();
    expect((await server.json<Overview>("/overview")).empty).toBe(true);
    expect((await server.call("/demo", { method: "POST" })).status).toBe(200);
    runs = (await server.json<List<RunSummary>>("/runs")).items;
  }, 120_000);

  it("tells its story in the numbers that it was made for", () => {
    const told = runs.map((run) => [run.infraFailed?.k, run.infraFailed?.n]).sort((a, b) => (b[0] ?? 0) - (a[0] ?? 0));
    expect(told).toEqual([
      [41, 316],
      [19, 288],
      [3, 70],
    ]);
    const baseline = runs.find((run) => run.infraFailed?.k === 41);
    expect(baseline?.passAt1.asReported?.value).toBeCloseTo(0.58, 6);
    expect(baseline?.meanReward.infraExcluded?.value).toBeCloseTo(178 / 275, 6);
    expect(baseline?.sentence).toMatch(
      /^41 of 316 rollouts were lost to infrastructure: 13\.0 % \(9\.7–17\.1 %\)\. \d+ of them ran out of memory at 2 GiB\.$/,
    );
    expect(baseline?.lead).toMatch(/pass@1 would lie between 58\.0 % and/);
    expect(baseline?.valid).toEqual({ ok: true, reason: null });
    const candidate = runs.find((run) => run.infraFailed?.k === 19);
    expect(candidate?.passAt1.asReported?.value).toBeCloseTo(0.671, 3);
    expect(candidate?.meanReward.infraExcluded?.value).toBeCloseTo(190 / 269, 6);
  });

  it("adds up: families to the lost, nodes and configs to the rollouts", async () => {
    for (const run of runs) {
      const sum = (counts: object) => Object.values(counts).reduce((total: number, n: number) => total + n, 0);
      expect(sum(run.byFamily)).toBe(run.infraFailed?.k);
      const parts = await server.json<RunBreakdown>(`/runs/${encodeURIComponent(run.id)}/breakdown`);
      expect(parts.nodes.reduce((total, one) => total + one.rollouts, 0)).toBe(run.rollouts);
      expect(parts.configs.reduce((total, one) => total + (one.infraFailed?.k ?? 0), 0)).toBe(run.infraFailed?.k);
      const expected = parts.nodes.reduce((total, one) => total + (one.expected ?? 0), 0);
      expect(expected).toBeLessThanOrEqual((run.infraFailed?.k ?? 0) + 1e-9);
    }
  });

  it("shows the node of the later run's three failures first", async () => {
    const later = runs.find((run) => run.infraFailed?.k === 3);
    const nodes = await server.json<JudgedNodes>(`/nodes?run=${encodeURIComponent(later?.id ?? "")}`);
    expect(nodes.items[0]).toMatchObject({ rollouts: 9, infraFailed: { k: 3, n: 9 } });
    expect(nodes.items[0]?.verdict).toBe("suspect");
    expect(nodes.items[0]?.p).toBeCloseTo(0.00153453, 8);
    expect(later?.suspectNodes).toEqual([nodes.items[0]?.node]);
    expect(nodes.items[0]?.hours.reduce((total, hour) => total + hour.infraFailed, 0)).toBe(3);
  });

  it("is marked as made up, and goes from the first page with the first real delivery", async () => {
    const first = await server.json<Overview>("/overview");
    expect([first.empty, first.demo, first.runs.every((run) => run.origin === "demo")]).toEqual([false, true, true]);
    const groups = await server.json<List<FailureGroup>>("/failures?by=family,run");
    expect(groups.items.length).toBeGreaterThan(3);
    await server.call("/ingest/auto?run=real", { method: "POST", body: '{"_ng_task_index":0,"reward":1}\n' });
    const real = await server.json<Overview>("/overview");
    expect([real.demo, real.runs.some((run) => run.origin === "demo")]).toEqual([false, false]);
    expect((await server.json<List<FailureGroup>>("/failures")).items).toEqual([]);
  });

  it("has exec daemons that can be swept", async () => {
    const sweep = await server.json<ExecSweep>(`/exec-sweep?run=${encodeURIComponent(runs[0]?.id ?? "")}`);
    expect(sweep.faults.map((fault) => fault.kind)).toEqual(["spawn", "timeout", "oom", "disconnect"]);
    expect(sweep.podsRead).toBeGreaterThan(0);
  });

  it("goes without a trace", async () => {
    const preview = await server.json("/demo?preview=true", { method: "DELETE" });
    expect(preview).toMatchObject({ preview: true, rollouts: expect.any(Number) });
    await server.call("/demo", { method: "DELETE" });
    const left = (await server.json<List<RunSummary>>("/runs")).items.filter((run) => run.origin === "demo");
    expect(left).toEqual([]);
    expect(await server.json("/demo?preview=true", { method: "DELETE" })).toMatchObject({
      batches: 0,
      rollouts: 0,
      observations: 0,
    });
  });

  it("is loaded whole when its asker leaves, and once when it is asked for twice", async () => {
    const asker = new AbortController();
    const first = server.call("/demo", { method: "POST", signal: asker.signal });
    const second = server.json<{ deliveries: number; rollouts: number }>("/demo", { method: "POST" });
    asker.abort();
    expect((await first).status).toBe(200);
    expect(await second).toMatchObject({ deliveries: 16, rollouts: 674 });
    const { items } = await server.json<List<RunSummary>>("/runs");
    const told = items.flatMap((run) => (run.origin === "demo" ? [[run.infraFailed?.k, run.rollouts]] : []));
    expect(told.sort()).toEqual([
      [19, 288],
      [3, 70],
      [41, 316],
    ]);
  });
});
