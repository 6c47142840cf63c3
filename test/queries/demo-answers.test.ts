import { beforeAll, describe, expect, test } from "vitest";
import type { Store } from "@/server/domain/store";
import { compare } from "@/server/queries/compare";
import { findings } from "@/server/queries/findings";
import { gateRun } from "@/server/queries/gate";
import { nodeDetail } from "@/server/queries/node-detail";
import { rolloutDetail } from "@/server/queries/rollout-detail";
import { runBreakdown } from "@/server/queries/run-breakdown";
import { demoStore, DEMO_NOW as now } from "@/test/support/demo-store";

let store: Store;
beforeAll(async () => {
  store = await demoStore();
}, 120_000);

describe("the demo's baseline against its candidate", () => {
  const ask = (paired: "auto" | "paired" | "unpaired") =>
    compare(store, { baseline: "swe-2gi", candidate: "swe-8gi", paired, now });

  test("is the published table: what was lost, passed and earned, and how sure that is", async () => {
    const answer = await ask("auto");
    const value = (id: string, side: "baseline" | "candidate") =>
      answer.metrics.find((metric) => metric.id === id)?.[side]?.value.value;
    expect(answer.metrics[0]?.baseline?.value).toMatchObject({ k: 41, n: 316 });
    expect(answer.metrics[0]?.candidate?.value).toMatchObject({ k: 19, n: 288 });
    expect(answer.metrics[0]?.unpaired?.difference).toBeCloseTo(0.063775, 6);
    expect(answer.metrics[0]?.unpaired?.low).toBeCloseTo(0.016088, 6);
    expect(answer.metrics[0]?.unpaired?.high).toBeCloseTo(0.11142, 6);
    expect(answer.metrics[0]?.unpaired?.p).toBeCloseTo(0.00956058, 7);
    expect(value("passAt1", "baseline")).toBeCloseTo(0.58, 9);
    expect(value("passAt1", "candidate")).toBeCloseTo(0.670667, 6);
    expect(value("meanRewardInfraExcluded", "baseline")).toBeCloseTo(178 / 275, 9);
    expect(value("meanRewardInfraExcluded", "candidate")).toBeCloseTo(190 / 269, 9);
  });

  test("has a sentence to quote, and names the one setting that was changed", async () => {
    const answer = await ask("auto");
    expect(answer.sentence).toBe(
      "Better: rollouts lost to infrastructure fell from 13.0 % (41 of 316) to 6.6 % (19 of 288), 6.4 points fewer (95 % interval: 1.6 to 11.1 points).",
    );
    expect(answer.config.differing).toEqual(["resources.memory_mib"]);
    expect(answer.notes).toContain("One setting differs: resources.memory_mib.");
  });

  test("is decided on pairs or not, as asked; the infra rate always on all rollouts", async () => {
    for (const paired of ["paired", "unpaired"] as const) {
      const { metrics } = await ask(paired);
      expect(metrics.map((metric) => metric.decidedBy)).toEqual(["unpaired", paired, paired, paired, paired]);
    }
  });

  test("names what confounds it when the later run is compared with the baseline", async () => {
    const answer = await compare(store, { baseline: "swe-2gi", candidate: "swe-8gi-bounded", paired: "auto", now });
    expect(answer.config.differing).toEqual([
      "connection.keepalive_expiry_s",
      "create.skip_health_check",
      "resources.memory_mib",
    ]);
    expect(answer.sentence).toContain("confounded by: connection.keepalive_expiry_s");
  });

  test("refuses a run against itself, and runs that are not there", async () => {
    const asked = { paired: "auto", now } as const;
    await expect(compare(store, { baseline: "swe-2gi", candidate: "swe-2gi", ...asked })).rejects.toThrow(/same run/);
    await expect(compare(store, { baseline: "swe-2gi", candidate: "x", ...asked })).rejects.toThrow(/no run "x"/);
  });
});

describe("the demo's findings", () => {
  test("of the baseline: raise the limit and keep the requests, shorten keep-alive, check health at create", async () => {
    const { items } = await findings(store, { run: "swe-2gi", now });
    expect(items.map((one) => [one.id, one.severity, one.rolloutsAffected])).toEqual([
      ["memory-limit", "major", 27],
      ["keepalive-mismatch", "major", 7],
      ["create-race", "major", 5],
      ["missing-rollouts", "major", 184],
      ["requests-equal-limits", "minor", 0],
    ]);
    expect(items[0]?.change?.lines.map((line) => line.op + line.text)).toEqual([
      "-resources.memory_mib: 2048",
      "+resources.memory_mib: 8192",
      "+resource_requests.memory_mib: 2048",
    ]);
    expect(items[2]?.text).toMatch(/^5 rollouts were lost, at the latest [01]\.\d s after the sandbox was up/);
  });

  test("of the later run: the one bad node, and nothing else", async () => {
    const { items } = await findings(store, { run: "swe-8gi-bounded", now });
    expect(items.map((one) => one.id)).toEqual(["bad-node"]);
    expect(items[0]?.text).toContain("in 0.15 % of cases");
    expect(items[0]?.change?.lines[0]?.text).toBe("kubectl cordon gpu-pool-31");
  });

  test("of all runs together, worst first, each with its run", async () => {
    const { items } = await findings(store, { now });
    expect(new Set(items.map((one) => one.run))).toEqual(new Set(["swe-2gi", "swe-8gi", "swe-8gi-bounded"]));
    expect(items[0]).toMatchObject({ id: "memory-limit", run: "swe-2gi" });
  });
});

describe("the demo's bad node", () => {
  test("has a page that says in one sentence how unlikely chance is", async () => {
    const node = await nodeDetail(store, { node: "gpu-pool-31" });
    expect(node.p).toBeCloseTo(0.00153453, 8);
    expect(node).toMatchObject({ verdict: "suspect", rollouts: 9, infraFailed: { k: 3, n: 9 }, tested: 25 });
    expect(node.sentence).toMatch(
      /^It had 9 of 70 rollouts and 3 of 3 infrastructure failures; .* at least 3 in 0\.15 % of cases \(0\.4 expected\)\. p = 0\.0015; corrected for 25 nodes q = 0\.038\.$/,
    );
    expect(node.strata).toMatchObject([{ run: "swe-8gi-bounded", rollouts: 70, failures: 3, here: 9, seen: 3 }]);
    expect(node.timeline.reduce((sum, hour) => sum + hour.byFamily.proxy, 0)).toBe(3);
    expect(node.classes[0]).toMatchObject({ class: "proxy.backend_dead", fatal: 3 });
  });
});

describe("a rollout's death certificate", () => {
  test("joins what Kubernetes, server, harness and record say, with gaps and clocks", async () => {
    const page = await store.listRollouts(
      { runs: ["swe-2gi"], classes: ["proxy.bind_race"] },
      { limit: 1, cursor: null },
    );
    const detail = await rolloutDetail(store, { id: page.items[0]?.id ?? "" });
    expect(new Set(detail.timeline.map((line) => line.layer))).toEqual(
      new Set(["kubernetes", "server", "harness", "record"]),
    );
    const times = detail.timeline.map((line) => Date.parse(line.at ?? ""));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(detail.timeline.map((line) => line.gapMs)).toEqual(
      times.map((at, i) => (i === 0 ? null : at - (times[i - 1] ?? 0))),
    );
    expect(detail.clocks).toMatchObject([
      { source: "demo/opensandbox-server", pairs: 1, resolutionMs: 1000, apart: false },
    ]);
    expect(detail.sandboxes[0]?.facts).toMatchObject({ memoryLimit: 2 ** 31 });
    expect(detail.sandboxes[0]?.nodeSaid?.by).toBe("kubernetes");
    expect(detail.sandboxes[0]?.tie).toBe("record");
  });
});

test("the demo's groups say how many lost a sample, and how many would had the losses spread evenly", async () => {
  const { groups } = await runBreakdown(store, { run: "swe-2gi" });
  const rollouts = await store.countRollouts({ runs: ["swe-2gi"] }, ["task"]);
  expect(groups?.spoilt.n).toBe(rollouts.length);
  expect(groups?.spoilt.k).toBeGreaterThan(0);
  expect(groups?.spoilt.k).toBeLessThanOrEqual(41);
  expect(groups?.independent).toBeCloseTo(0.29, 1);
});

describe("the gate", () => {
  const asked = { run: "swe-2gi", max: 0.05, strict: false };

  test("judges a run that has ended by its interval, and against a baseline", async () => {
    const answer = await gateRun(store, { ...asked, max: 0.5, baseline: "swe-8gi", now });
    expect(answer).toMatchObject({ ended: true, verdict: "fail", exitCode: 1, method: "wilson", missing: 184 });
    expect(answer.comparison).toMatchObject({ baseline: "swe-8gi", verdict: "worse", looked: true });
  });

  test("stops a live run by a bound that holds at every look, and lets no comparison decide yet", async () => {
    const settings = await store.runSettings("swe-2gi");
    if (!settings?.endedAt) throw new Error("the demo says when its runs ended");
    await store.putRunSettings({ ...settings, endedAt: null });
    const live = { ...asked, now: settings.endedAt + 60_000 };
    const stopped = await gateRun(store, live);
    const going = await gateRun(store, { ...live, max: 0.12, baseline: "swe-8gi" });
    await store.putRunSettings(settings);
    expect(stopped).toMatchObject({ ended: false, verdict: "fail", exitCode: 1, anytime: { reached: true } });
    expect(going).toMatchObject({ ended: false, verdict: "inconclusive", comparison: { looked: false } });
  });
});
