import { describe, expect, test } from "vitest";
import type { CompareAnswer, MetricId } from "@/server/compare/answer";
import { type ComparedRun, compareRuns } from "@/server/compare/compare-runs";
import type { ComparedRollout } from "@/server/compare/rollout-values";
import { BASELINE, CANDIDATE, LATER } from "./example-runs";

const SEED = 11;
const answer = compareRuns(BASELINE, CANDIDATE, SEED);

function metric(from: CompareAnswer, id: MetricId) {
  const found = from.metrics.find((one) => one.id === id);
  if (!found) throw new Error(`no metric ${id}`);
  return found;
}

/** A run of `tasks` tasks with `each` rollouts; `verdict` by task and index. */
function run(
  tasks: number,
  each: number,
  verdict: (task: number, index: number) => ComparedRollout["verdict"],
): ComparedRun {
  const rollouts = Array.from({ length: tasks * each }, (_, i): ComparedRollout => {
    const [task, index] = [Math.floor(i / each), i % each];
    const word = verdict(task, index);
    return {
      task: `t${task}`,
      index,
      verdict: word,
      family: word === "infra_failed" ? "oom" : null,
      reward: Number(word === "passed"),
    };
  });
  return { id: "r", name: "r", rollouts, missing: null, config: { common: {}, varying: {}, effective: {} } };
}

describe("the field's two runs", () => {
  test("have the published infra rates and difference, and the candidate is better", () => {
    const infra = metric(answer, "infraRate");
    expect(infra.baseline?.value).toMatchObject({ k: 41, n: 316 });
    expect(infra.candidate?.value).toMatchObject({ k: 19, n: 288 });
    expect(infra.baseline?.value.low).toBeCloseTo(0.0971, 6);
    expect(infra.unpaired?.difference).toBeCloseTo(0.063775, 6);
    expect(infra.unpaired?.low).toBeCloseTo(0.016088, 6);
    expect(infra.unpaired?.high).toBeCloseTo(0.11142, 6);
    expect(infra.unpaired?.p).toBeCloseTo(0.00956058, 8);
    expect(infra.decidedBy).toBe("unpaired");
    expect(answer).toMatchObject({ verdict: "better", seed: SEED, resamples: 10_000 });
  });

  test("have the published pass@1 and rewards", () => {
    expect(metric(answer, "passAt1").baseline?.value).toMatchObject({ n: 125, value: 0.58 });
    expect(metric(answer, "passAt1").candidate?.value.value).toBeCloseTo(0.671, 3);
    expect(metric(answer, "meanRewardInfraExcluded").baseline?.value).toMatchObject({ n: 275, value: 178 / 275 });
    expect(metric(answer, "meanRewardInfraExcluded").candidate?.value).toMatchObject({ n: 269, value: 190 / 269 });
  });

  test("are put into one sentence", () => {
    expect(answer.sentence).toBe(
      "Better: rollouts lost to infrastructure fell from 13.0 % (41 of 316) to 6.6 % (19 of 288), 6.4 points fewer (95 % interval: 1.6 to 11.1 points).",
    );
    expect(answer.notes).toContain("One setting differs: resources.memory_mib.");
  });

  test("could have shown a decrease of about 6.7 points, and would have needed about 340 rollouts each", () => {
    expect(answer.detectable?.decrease).toBeCloseTo(0.067, 3);
    expect(answer.detectable?.neededPerRun).toBeGreaterThan(330);
    expect(answer.detectable?.neededPerRun).toBeLessThan(350);
  });

  test("show what infrastructure could have taken: bounds of pass@1, and lost with missing", () => {
    const [low, high] = answer.baseline.passAt1Bounds ?? [1, 0];
    expect(low).toBeCloseTo(0.58, 12);
    expect(high).toBeCloseTo(0.58 + (17 / 4 + 24 / 2) / 125, 12);
    expect(answer.baseline.lost).toMatchObject({ k: 41 + 184, n: 500 });
  });

  test("pair on what they share, and say what did not", () => {
    const { pairs } = answer;
    expect(pairs.shared + pairs.baselineOnly).toBe(316);
    expect(pairs.shared + pairs.candidateOnly).toBe(288);
    expect(pairs).toMatchObject({ enough: true, ambiguous: 0 });
    const infra = metric(answer, "infraRate").paired;
    expect(infra).toMatchObject({ pairs: pairs.shared, method: "bootstrap over tasks, McNemar exact" });
    expect(metric(answer, "passAt1").decidedBy).toBe("paired");
    expect(answer.notes[0]).toContain(`${pairs.shared} pairs`);
  });

  test("list all families, and their losses add up", () => {
    expect(answer.families.map((one) => one.family)).toEqual([
      "disconnect",
      "proxy",
      "oom",
      "startup",
      "scheduling",
      "node",
      "other",
    ]);
    expect(answer.families.reduce((sum, one) => sum + one.baseline.k, 0)).toBe(41);
    expect(answer.families.find((one) => one.family === "oom")?.q).toBeCloseTo(0.00956058, 8);
    expect(answer.families.find((one) => one.family === "disconnect")).toMatchObject({ difference: 0, p: 1, q: 1 });
  });

  test("compare the same twice, and swapped with the sign turned", () => {
    expect(compareRuns(BASELINE, CANDIDATE, SEED)).toEqual(answer);
    const swapped = compareRuns(CANDIDATE, BASELINE, SEED);
    expect(swapped.verdict).toBe("worse");
    expect(metric(swapped, "infraRate").unpaired?.difference).toBeCloseTo(-0.063775, 6);
    expect(swapped.sentence).toContain("Worse: rollouts lost to infrastructure rose from 6.6 %");
  });
});

describe("the later, small run", () => {
  const later = compareRuns(CANDIDATE, LATER, SEED);

  test("has too little data against the candidate, with the published interval", () => {
    const infra = metric(later, "infraRate");
    expect(infra.unpaired?.difference).toBeCloseTo(0.023115, 6);
    expect(infra.unpaired?.low).toBeCloseTo(-0.056137, 6);
    expect(infra.unpaired?.high).toBeCloseTo(0.06786, 6);
    expect(infra.unpaired?.p).toBeCloseTo(0.5886, 5);
    expect(later.verdict).toBe("too_little_data");
  });

  test("names what confounds it", () => {
    expect(later.sentence).toMatch(
      /^Too little data: 6\.6 % \(19 of 288\) of rollouts lost to infrastructure against 4\.3 %/,
    );
    expect(later.sentence).toContain("about 1500 rollouts per run would show such a difference");
    expect(later.sentence).toContain("confounded by: connection.keepalive_expiry_s, create.skip_health_check.");
  });
});

describe("a comparison", () => {
  test("without rollouts on one side says so and invents nothing", () => {
    const empty = compareRuns(
      run(0, 0, () => "passed"),
      CANDIDATE,
      SEED,
    );
    expect(empty).toMatchObject({ verdict: "too_little_data", detectable: null, families: [] });
    expect(empty.sentence).toBe("Too little data: no rollout of the baseline has finished.");
    expect(metric(empty, "passAt1")).toMatchObject({ baseline: null, unpaired: null, paired: null });
  });

  test("of two alike large runs shows no clear change", () => {
    const alike = (shift: number) =>
      run(400, 4, (t, i) => ((t * 4 + i + shift) % 20 === 0 ? "infra_failed" : "passed"));
    const same = compareRuns(alike(0), alike(7), SEED);
    expect(same).toMatchObject({ verdict: "no_clear_change" });
    expect(same.sentence).toMatch(/^No clear change: 5\.0 % \(80 of 1600\)/);
  });

  test("of a certain but small difference is no clear change", () => {
    const some = (every: number) => run(5000, 2, (t, i) => ((t * 2 + i) % every === 0 ? "infra_failed" : "passed"));
    const small = compareRuns(some(50), some(200), SEED);
    expect(metric(small, "infraRate").unpaired?.low).toBeGreaterThan(0);
    expect(small).toMatchObject({ verdict: "no_clear_change", reason: "The difference is below 2.0 points." });
  });

  test("of tasks that fail alike resamples tasks, says so, and keeps the naive interval", () => {
    const clustered = (every: number) => run(100, 4, (t) => (t % every === 0 ? "infra_failed" : "passed"));
    const found = compareRuns(clustered(5), clustered(10), SEED);
    const { unpaired, baseline } = metric(found, "infraRate");
    expect(baseline).toMatchObject({ method: "bootstrap over tasks" });
    expect(baseline?.naive?.low).toBeGreaterThan(baseline?.value.low ?? 1);
    expect(unpaired).toMatchObject({
      method: "bootstrap over tasks",
      naive: { method: "Newcombe hybrid score, Fisher exact" },
    });
    expect(found.sentence).toContain("attempts of one task fail alike (design effect 4.0)");
  });

  test("leaves out attempts that do not count, and rollouts that are told apart by nothing", () => {
    const twice = run(10, 1, () => "passed");
    const first = twice.rollouts[0] as ComparedRollout;
    const muddled = { ...twice, rollouts: [...twice.rollouts, first, { ...first, effective: false }] };
    const found = compareRuns(muddled, twice, SEED);
    expect(found.baseline.rollouts).toBe(11);
    expect(found.pairs).toMatchObject({ shared: 9, baselineOnly: 2, candidateOnly: 1, ambiguous: 2 });
  });

  test("of a run with itself finds no change, and no pair that differs", () => {
    const same = compareRuns(BASELINE, BASELINE, SEED);
    expect(same.verdict).not.toMatch(/better|worse/);
    expect(metric(same, "passAt1")).toMatchObject({ verdict: "no_clear_change", reason: "No pair differs." });
    expect(same.movement).toMatchObject({ won: 0, lost: 0, same: 125 });
  });

  test("shows which tasks were won and lost", () => {
    const before = run(6, 2, (t) => (t < 3 ? "passed" : "failed"));
    const after = run(7, 2, (t) => (t === 0 ? "failed" : t < 5 ? "passed" : "failed"));
    const found = compareRuns(before, after, SEED);
    expect(found.movement).toEqual({ won: 2, lost: 1, same: 3, baselineOnly: 0, candidateOnly: 1 });
    expect(found.tasks[0]).toMatchObject({ task: "t0", movement: "lost", change: -1 });
  });

  test("counts not scored rollouts as finished, and in no pass rate", () => {
    const found = compareRuns(
      run(10, 1, (t) => (t === 0 ? "not_scored" : "passed")),
      run(10, 1, () => "passed"),
      SEED,
    );
    expect(metric(found, "infraRate").baseline?.value).toMatchObject({ k: 0, n: 10 });
    expect(metric(found, "passAt1").baseline?.value.n).toBe(9);
    expect(found.baseline.notScored).toBe(1);
  });

  test("decides pass and reward unpaired when less than half of the smaller run pairs", () => {
    const before = run(40, 2, (t, i) => ((t + i) % 2 === 0 ? "passed" : "failed"));
    const other = run(40, 2, (t) => (t % 4 === 0 ? "failed" : "passed"));
    const after = {
      ...other,
      rollouts: other.rollouts.map((one, i) => (i < 60 ? { ...one, task: `x${one.task}` } : one)),
    };
    const found = compareRuns(before, after, SEED);
    expect(found.pairs).toMatchObject({ shared: 20, enough: false });
    expect(metric(found, "passAt1")).toMatchObject({ decidedBy: "unpaired", paired: { pairs: 20 } });
  });
});

describe("a comparison before anything is resampled", () => {
  const soon = compareRuns(BASELINE, CANDIDATE, null);

  test("has the exact counts, values, families, settings and tasks of the whole one, and says that more comes", () => {
    expect(soon.pending).toBe(true);
    expect(answer.pending).toBeUndefined();
    for (const part of ["baseline", "candidate", "families", "pairs", "config", "tasks", "movement", "notes"] as const)
      expect(soon[part]).toEqual(answer[part]);
    for (const { id, baseline, candidate } of answer.metrics) {
      expect(metric(soon, id).baseline?.value.value).toBe(baseline?.value.value);
      expect(metric(soon, id).candidate?.value.n).toBe(candidate?.value.n);
    }
  });

  test("has the verdict and sentence of the whole one where attempts of a task are not alike", () => {
    const apart = (share: number) => run(200, 1, (task) => (task % 100 < share * 100 ? "infra_failed" : "passed"));
    const [first, whole] = [compareRuns(apart(0.3), apart(0.1), null), compareRuns(apart(0.3), apart(0.1), SEED)];
    expect(first.sentence).toBe(whole.sentence);
    expect(metric(first, "infraRate").unpaired).toEqual(metric(whole, "infraRate").unpaired);
    expect(first.verdict).toBe("better");
  });

  test("gives no verdict that resampling may take back, where attempts of a task fail alike", () => {
    const alike = (every: number) => run(40, 8, (task) => (task % every === 0 ? "infra_failed" : "passed"));
    const first = compareRuns(alike(2), alike(4), null);
    expect(first.sentence).toMatch(/^Being compared: 50\.0 % \(160 of 320\) .* against 25\.0 % \(80 of 320\)/);
    expect(metric(first, "infraRate")).toMatchObject({ unpaired: null, paired: null, verdict: "too_little_data" });
  });
});
