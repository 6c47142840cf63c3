import { beforeAll, describe, expect, test } from "vitest";
import type { RunSummary } from "@/server/domain/answers";
import type { IngestResult } from "@/server/domain/batch";
import type { Store } from "@/server/domain/store";
import { execSweep } from "@/server/queries/exec-sweep";
import { runSummary } from "@/server/queries/run-summary";
import { openMemory } from "../support/deliveries";
import { DEMO_NOW, sendDemo } from "../support/demo-store";

let store: Store;
let results: Map<string, IngestResult>;
const NOW = DEMO_NOW;

beforeAll(async () => {
  store = await openMemory();
  results = await sendDemo(store);
}, 120_000);

function summary(run: string): Promise<RunSummary> {
  return runSummary(store, { run, now: NOW });
}

/** Fatal incidents by class, of infrastructure only. */
async function fatalClasses(run: string): Promise<Record<string, number>> {
  const counts = await store.countIncidents({ runs: [run], origins: ["demo"], outcomes: ["fatal"] }, [
    "class",
    "family",
  ]);
  return Object.fromEntries(counts.filter((c) => c.key[1] !== "none").map((c) => [c.key[0] ?? "", c.incidents]));
}

describe("the demo fleet, read by the real pipeline", () => {
  test("has no record that cannot be read", () => {
    const rejected = [...results]
      .filter(([, result]) => result.rejected > 0)
      .map(([name, { rejects }]) => [name, rejects]);
    expect(rejected).toEqual([]);
  });

  test("the baseline lost 41 of 316, 27 of them for memory", async () => {
    const run = await summary("swe-2gi");
    expect(run.infraFailed).toMatchObject({ k: 41, n: 316 });
    expect(run.byFamily).toEqual({ disconnect: 7, proxy: 5, oom: 27, startup: 1, scheduling: 0, node: 1, other: 0 });
    expect(run.passAt1.asReported?.value).toBeCloseTo(0.58, 6);
    expect(run.meanReward.infraExcluded?.value).toBeCloseTo(178 / 275, 6);
    expect(run.unknownShare?.k).toBe(0);
    expect(run.absorbed).toBe(36);
  });

  test("the baseline's losses have the causes that the story gives them", async () => {
    expect(await fatalClasses("swe-2gi")).toEqual({
      "pod.oom_killed": 27,
      "transport.stale_keepalive": 7,
      "proxy.bind_race": 5,
      "control.create_timeout": 1,
      "pod.evicted": 1,
    });
  });

  test("the candidate lost 19 of 288", async () => {
    const run = await summary("swe-8gi");
    expect(run.infraFailed).toMatchObject({ k: 19, n: 288 });
    expect(run.byFamily).toEqual({ disconnect: 6, proxy: 8, oom: 2, startup: 2, scheduling: 0, node: 1, other: 0 });
    expect(run.meanReward.infraExcluded?.value).toBeCloseTo(190 / 269, 6);
  });

  test("the later run lost three of 70, none by a disconnect or for memory", async () => {
    const run = await summary("swe-8gi-bounded");
    expect(run.infraFailed).toMatchObject({ k: 3, n: 70 });
    expect(run.byFamily).toMatchObject({ disconnect: 0, oom: 0, proxy: 3 });
    const nodes = await store.countRollouts({ runs: ["swe-8gi-bounded"], origins: ["demo"] }, ["node"]);
    const hit = nodes.filter((node) => node.infraFailed > 0);
    expect(hit.map((node) => [node.key[0], node.infraFailed, node.n])).toEqual([["gpu-pool-31", 3, 9]]);
  });

  test("the exec sweep of the later run read 92 pods and 101 events, every one CommandExecError: 1, and no fault", async () => {
    const sweep = await execSweep(store, { run: "swe-8gi-bounded" });
    expect([sweep.podsRead, sweep.eventsTotal]).toEqual([92, 101]);
    expect(sweep.events.map((event) => [event.label, event.n])).toEqual([["CommandExecError: 1", 101]]);
    expect(sweep.faults.every((fault) => fault.n === 0)).toBe(true);
  });

  test("every rollout whose sandbox came up has a node, lost or not", async () => {
    const nodes = await store.countRollouts({ runs: ["swe-2gi"], origins: ["demo"] }, ["node", "verdict"]);
    const without = nodes.filter((node) => node.key[0] === null && node.key[1] !== "infra_failed");
    expect(without).toEqual([]);
  });
});
