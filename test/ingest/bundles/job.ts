import type { Files } from "../../support/archives";

export const trial = (task: string, suffix: string, reward: number | null, error: object | null = null) =>
  JSON.stringify({
    task_name: task,
    trial_name: `${task}__${suffix}`,
    exception_info: error,
    verifier_result: reward === null ? null : { rewards: { reward } },
  });
const lost = {
  exception_type: "EnvironmentStartTimeoutError",
  exception_message: "Environment start timed out after 600 seconds",
};

/** A Harbor job with the noise that lies in it: every word of infrastructure in it was printed by an agent or a test. */
export const JOB: Files = {
  "exp-7/result.json": '{"id":"j","n_total_trials":3,"stats":{"evals":{}}}',
  "exp-7/t1__aaaaaaa/result.json": trial("t1", "aaaaaaa", 1),
  "exp-7/t1__aaaaaaa/agent/output.log":
    "2026-09-01 08:00:00,000 ERROR harness sandbox_id=s-1 Server disconnected without sending a response.",
  "exp-7/t1__aaaaaaa/verifier/test-stdout.txt": "httpx.ConnectError: All connection attempts failed",
  "exp-7/t1__bbbbbbb/result.json": trial("t1", "bbbbbbb", 0),
  "exp-7/t2__ccccccc/result.json": trial("t2", "ccccccc", null, lost),
  "exp-7/t2__ccccccc/artifacts/shot.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]),
  "exp-7/t2__ccccccc/model.patch": "diff --git OOMKilled",
  "__MACOSX/._result.json": "x",
};
