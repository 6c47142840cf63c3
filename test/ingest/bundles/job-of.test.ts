import { describe, expect, test } from "vitest";
import { jobOf } from "@/server/ingest/bundles/job-of";
import { leftOutOf, whyLeftOut } from "@/server/ingest/bundles/leave-out";

describe("the run of a file in a job's folders", () => {
  test.each([
    ["jobs/exp-7/t1__f3Kq9aZ/result.json", "exp-7"],
    ["exp-7.tar.gz/t1__f3Kq9aZ/steps/one/result.json", "exp-7"],
    ["logs/run_evaluation/night/model/a__b-1/report.json", "night"],
    ["out/mini/a__b-1/a__b-1.traj.json", "mini"],
    ["out/mini/preds.json", "mini"],
    ["out/mini/exit_statuses_1788000000.5.yaml", "mini"],
    ["ckpt/grpo-3/step_12/train/a__b-1_3.json", "grpo-3"],
    ["runs/p1/rollouts/step_3/eval/effective/traces.jsonl", "p1"],
    ["outputs/swe--m--h/5f0c1f0e-1111-4222-8333-444455556666/traces.jsonl", "swe--m--h-5f0c1f0e"],
    ["swe_m_1/episodes/episode_000001_t.json", "swe_m_1"],
    ["runs/2026-09-01/t1/t1.1-of-2.2026-09-01/results.json", "2026-09-01"],
    ["oh/output.critic_attempt_1.jsonl", "oh"],
    ["result.json", null],
    ["logs/server.log", null],
    ["results/exp-7.jsonl", null],
    ["logs/2026-09-01T08-00-00+00-00_list-files_AbCdEfGhIjKlMnOpQr.eval/samples/1_epoch_1.json", null],
  ])("%s is %s", (path, run) => {
    expect(jobOf(path)).toBe(run);
  });
});

describe("files that hold no record", () => {
  test.each([
    ["t1__f3Kq9aZ/agent/trajectory.json", "output of agents"],
    ["t1__f3Kq9aZ/verifier/test-stdout.txt", "output of tests and verifiers"],
    ["m/a__b-1/test_output.txt", "output of tests and verifiers"],
    ["m/a__b-1/patch.diff", "patches and predictions"],
    ["a__b-1/a__b-1.debug.log", "output of agents"],
    ["__MACOSX/x/._result.json", "left by systems and editors"],
    ["t1/sessions/agent.cast", "images and recordings"],
    ["exp-7_aggregate_metrics.json", "totals over records"],
    ["a/configs/eval.json", "settings of tools"],
    ["t1__f3Kq9aZ/result.json", null],
    ["exp-7_failures.jsonl", null],
    ["minisweagent.log", null],
    ["logs/execd.txt", null],
    ["agent/server.log", null],
  ])("%s: %s", (path, why) => {
    expect(whyLeftOut(path)).toBe(why);
  });

  test("are also totals over episodes that stand beside them, and only those", () => {
    const paths = ["a/results.json", "a.json", "a/episodes/episode_000000_t.json", "b/results.json"];
    expect([...leftOutOf(paths).keys()]).toEqual(["a/results.json", "a.json"]);
  });
});
