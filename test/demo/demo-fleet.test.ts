import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { demoFleet } from "@/server/demo/demo-fleet";
import { spreadPasses } from "@/server/demo/passes";
import { type DemoPlan, planRun } from "@/server/demo/plan-run";
import { DEMO_RUNS } from "@/server/demo/story";

const END = Date.UTC(2026, 10, 27, 18);
const plans = DEMO_RUNS.map((run) => planRun(run, END));
const [baseline, candidate, later] = plans as [DemoPlan, DemoPlan, DemoPlan];

function count(plan: DemoPlan, holds: (rollout: DemoPlan["rollouts"][number]) => boolean): number {
  return plan.rollouts.filter(holds).length;
}

/** Mean over tasks of each task's share of rollouts that passed. */
function passAt1(plan: DemoPlan): number {
  const tasks = new Map<string, { passed: boolean }[]>();
  for (const rollout of plan.rollouts) tasks.set(rollout.task, [...(tasks.get(rollout.task) ?? []), rollout]);
  const means = [...tasks.values()].map((rollouts) => rollouts.filter((r) => r.passed).length / rollouts.length);
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

function meanRewardWithoutLost(plan: DemoPlan): number {
  return count(plan, (r) => r.passed) / count(plan, (r) => r.fault === null);
}

describe("the demo fleet's numbers", () => {
  test("the baseline has 316 rollouts, 178 passed and 41 lost", () => {
    expect(baseline.rollouts).toHaveLength(316);
    expect(count(baseline, (r) => r.passed)).toBe(178);
    expect(count(baseline, (r) => r.fault !== null)).toBe(41);
    expect(passAt1(baseline)).toBeCloseTo(72.5 / 125, 12);
    expect(meanRewardWithoutLost(baseline)).toBeCloseTo(178 / 275, 12);
  });

  test("17 of its losses are among the 33 tasks with four rollouts", () => {
    const lost = baseline.rollouts.filter((r) => r.fault !== null);
    expect(lost.filter((r) => r.taskIndex < 33)).toHaveLength(17);
    expect(count(baseline, (r) => r.fault === "oom")).toBe(27);
  });

  test("the candidate has 288 rollouts, 190 passed and 19 lost", () => {
    expect(candidate.rollouts).toHaveLength(288);
    expect(count(candidate, (r) => r.passed)).toBe(190);
    expect(count(candidate, (r) => r.fault !== null)).toBe(19);
    expect(passAt1(candidate)).toBeCloseTo((34 / 4 + 16 / 3 + 140 / 2) / 125, 12);
    expect(meanRewardWithoutLost(candidate)).toBeCloseTo(190 / 269, 12);
  });

  test("the later run lost three of 70, all on one node with nine of them, minutes apart", () => {
    const lost = later.rollouts.filter((r) => r.fault !== null).sort((a, b) => a.endedAt - b.endedAt);
    const nodes = new Set(lost.map((r) => r.sandbox?.node));
    expect(later.rollouts).toHaveLength(70);
    expect(lost).toHaveLength(3);
    expect(nodes.size).toBe(1);
    const [node] = nodes;
    expect(count(later, (r) => r.sandbox?.node === node)).toBe(9);
    const gaps = lost.slice(1).map((r, i) => r.endedAt - (lost[i]?.endedAt ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(60_000);
    expect([baseline, candidate].some((plan) => count(plan, (r) => r.sandbox?.node === node) > 0)).toBe(false);
  });

  test("there are at most 32 nodes, and each rollout's key occurs once in its run", () => {
    const nodes = new Set(plans.flatMap((plan) => plan.rollouts.map((r) => r.sandbox?.node)));
    expect(nodes.size).toBeLessThanOrEqual(32);
    for (const plan of plans) {
      expect(new Set(plan.rollouts.map((r) => `${r.task} ${r.index}`)).size).toBe(plan.rollouts.length);
    }
  });

  test("no rollout both passed and was lost, and every loss that had a sandbox names its node", () => {
    for (const plan of plans) {
      expect(count(plan, (r) => r.passed && r.fault !== null)).toBe(0);
      expect(count(plan, (r) => r.sandbox === null && r.fault !== "create_timeout")).toBe(0);
    }
  });

  test("a bind race meets its first command within two seconds of the create", () => {
    const races = plans.flatMap((plan) => plan.rollouts.filter((r) => r.fault === "bind_race"));
    expect(races.length).toBeGreaterThan(0);
    for (const race of races) expect(race.endedAt - (race.sandbox?.readyAt ?? 0)).toBeLessThan(2_000);
  });
});

describe("the demo fleet's deliveries", () => {
  test("are the same bytes every time, and marked as demo", () => {
    const [first, second] = [demoFleet(END), demoFleet(END)];
    const digest = (fleet: typeof first) =>
      fleet.deliveries.map((d) => createHash("sha256").update(d.bytes).digest("hex"));
    expect(digest(second)).toEqual(digest(first));
    expect(second.settings).toEqual(first.settings);
    expect(first.deliveries.every((d) => d.params.origin === "demo" && d.params.cluster === "demo")).toBe(true);
    expect(first.settings.map((s) => s.planned)).toEqual([500, 500, 70]);
  });

  test("hold the exec sweep: 92 pods, 101 events, every one CommandExecError: 1", () => {
    const execd = demoFleet(END).deliveries.find((d) => d.name.endsWith("execd.jsonl"));
    const lines = new TextDecoder().decode(execd?.bytes).trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line));
    expect(new Set(records.map((record) => record.kubernetes.pod_id)).size).toBe(92);
    const events = records.filter((record) => record.log.includes("OnExecuteError"));
    expect(events).toHaveLength(101);
    expect(events.every((record) => JSON.parse(record.log).msg.endsWith("error=CommandExecError: 1"))).toBe(true);
  });

  test("have rows that are whole JSON, one per rollout", () => {
    for (const [i, delivery] of demoFleet(END)
      .deliveries.filter((d) => d.name.endsWith("rollouts.jsonl"))
      .entries()) {
      const rows = new TextDecoder().decode(delivery.bytes).trimEnd().split("\n");
      expect(rows.map((row) => JSON.parse(row))).toHaveLength(plans[i]?.rollouts.length ?? -1);
    }
  });
});

describe("spreading passes over tasks", () => {
  const tasks = Array.from({ length: 20 }, (_, i) => i);

  test.each([0, 1, 37, 79, 80])("gives exactly %i passes and never more than a task has rollouts", (total) => {
    const counts = spreadPasses(
      tasks,
      tasks.map(() => 4),
      total,
    );
    expect(counts.reduce((a, b) => a + b, 0)).toBe(total);
    expect(counts.every((n) => n >= 0 && n <= 4)).toBe(true);
  });

  test("refuses more passes than there are rollouts", () => {
    expect(() =>
      spreadPasses(
        tasks,
        tasks.map(() => 4),
        81,
      ),
    ).toThrow(RangeError);
  });
});
