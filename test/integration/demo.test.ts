import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ExecSweep, List, NodeAnswer, Overview, RunSummary } from "@/server/domain/answers";
import { type Product, startProduct } from "@/test/support/server";
import { ask } from "./deliver";

/** What this test reads of a comparison. */
interface Compared {
  verdict: string;
  sentence: string;
  metrics: { id: string; unpaired: { difference: number; low: number; high: number; p: number } | null }[];
}

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  expect((await ask(`${product.url}/api/v1/demo`, { method: "POST" })).status).toBeLessThan(300);
});
afterAll(() => product.remove());

async function get<T>(path: string): Promise<T> {
  const answer = await ask<T>(`${product.url}/api/v1${path}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function cli(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["dist/coalmine.mjs", ...args], {
    env: { ...process.env, COALMINE_URL: product.url },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  await once(child, "close");
  return { code: child.exitCode, output };
}

describe("the demo fleet, through the real pipeline", () => {
  test("the baseline lost 41 of 316 rollouts, 27 of them for memory", async () => {
    const run = await get<RunSummary>("/runs/swe-2gi");
    expect(run.infraFailed).toMatchObject({ k: 41, n: 316 });
    expect(run.infraFailed?.low).toBeCloseTo(0.0971, 4);
    expect(run.infraFailed?.high).toBeCloseTo(0.171287, 4);
    expect(run.byFamily).toEqual({ disconnect: 7, proxy: 5, oom: 27, startup: 1, scheduling: 0, node: 1, other: 0 });
    expect(run.passAt1.asReported?.value).toBeCloseTo(0.58, 6);
    expect(run.meanReward.infraExcluded?.value).toBeCloseTo(178 / 275, 6);
    expect([run.name, run.origin, run.planned]).toEqual(["2Gi requests = limits", "demo", 500]);
    expect(run.suspectNodes).toEqual([]);
    expect(run.unknownShare?.k ?? 0).toBe(0);
  });

  test("the candidate lost 19 of 288", async () => {
    const run = await get<RunSummary>("/runs/swe-8gi");
    expect(run.infraFailed).toMatchObject({ k: 19, n: 288 });
    expect(run.byFamily).toEqual({ disconnect: 6, proxy: 8, oom: 2, startup: 2, scheduling: 0, node: 1, other: 0 });
    expect(run.passAt1.asReported?.value).toBeCloseTo(83.8333333 / 125, 6);
    expect(run.meanReward.infraExcluded?.value).toBeCloseTo(190 / 269, 6);
    expect(run.suspectNodes).toEqual([]);
  });

  test("the later run lost 3 of 70, all on one node, none by a disconnect or for memory", async () => {
    const run = await get<RunSummary>("/runs/swe-8gi-bounded");
    expect(run.infraFailed).toMatchObject({ k: 3, n: 70 });
    expect([run.byFamily.disconnect, run.byFamily.oom]).toEqual([0, 0]);
    const { items } = await get<List<NodeAnswer>>("/nodes?run=swe-8gi-bounded&limit=100");
    const hit = items.filter((node) => (node.infraFailed?.k ?? 0) > 0);
    expect(hit.map((node) => [node.node, node.infraFailed?.k, node.infraFailed?.n])).toEqual([["gpu-pool-31", 3, 9]]);
    expect(run.suspectNodes).toEqual(["gpu-pool-31"]);
  });

  test("the candidate is better than the baseline, and the interval says by how much", async () => {
    const compared = await get<Compared>("/compare?baseline=swe-2gi&candidate=swe-8gi");
    expect(compared.verdict).toBe("better");
    expect(compared.sentence).toContain("from 13.0 % (41 of 316) to 6.6 % (19 of 288)");
    const lost = compared.metrics.find((metric) => metric.id === "infraRate")?.unpaired;
    expect(lost?.difference).toBeCloseTo(0.063775, 5);
    expect(lost?.low).toBeCloseTo(0.016088, 5);
    expect(lost?.high).toBeCloseTo(0.11142, 5);
    expect(lost?.p).toBeCloseTo(0.00956058, 7);
  });

  test("the findings name what to change in the baseline, and the node in the later run", async () => {
    const baseline = await get<List<{ id: string }>>("/findings?run=swe-2gi");
    const ids = baseline.items.map((finding) => finding.id);
    expect(ids).toEqual(expect.arrayContaining(["memory-limit", "keepalive-mismatch", "create-race"]));
    const later = await get<List<{ id: string }>>("/findings?run=swe-8gi-bounded");
    expect(later.items.map((finding) => finding.id)).toContain("bad-node");
  });

  test("the exec sweep read 92 pods and 101 events, every one CommandExecError: 1, and no fault", async () => {
    const sweep = await get<ExecSweep>("/exec-sweep?run=swe-8gi-bounded");
    expect([sweep.podsRead, sweep.eventsTotal]).toEqual([92, 101]);
    expect(sweep.events).toMatchObject([{ label: "CommandExecError: 1", n: 101 }]);
    expect(sweep.faults.map((fault) => fault.n)).toEqual(sweep.faults.map(() => 0));
  });

  test("loaded twice it is the same", async () => {
    expect((await ask(`${product.url}/api/v1/demo`, { method: "POST" })).status).toBeLessThan(300);
    expect((await get<RunSummary>("/runs/swe-2gi")).infraFailed).toMatchObject({ k: 41, n: 316 });
    expect((await get<List<RunSummary>>("/runs")).items).toHaveLength(3);
  });

  test("the command line reads the same numbers, and removes it again", async () => {
    expect((await cli("run", "swe-2gi")).output).toContain("41/316 (13.0 %, 9.7–17.1 %)");
    expect((await cli("runs")).output).toContain("19/288 (6.6 %, 4.3–10.1 %)");
    expect((await cli("nodes", "--run", "swe-8gi-bounded")).output).toContain("gpu-pool-31");
    expect((await cli("demo", "remove")).code).toBe(0);
    expect((await get<List<RunSummary>>("/runs")).items).toEqual([]);
    expect((await get<Overview>("/overview")).empty).toBe(true);
  });
});
