import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify } from "@/server/classify/classify";
import { gymRollouts } from "@/server/ingest/formats/gym-rollouts";
import { openMemory, rollouts, send } from "../../support/deliveries";
import { contextWith, payloadOf, RecordingSink, readLines } from "../../support/recording-sink";

const caseFile = (name: string) => readFileSync(new URL(`../../cases/${name}`, import.meta.url), "utf8");
const agents = readFileSync(new URL("./fixtures/gym-rollouts/agents.jsonl", import.meta.url), "utf8");
const sink = readLines(gymRollouts, agents);
const rollout = (i: number) => sink.rollouts[i];

describe("gym-rollouts", () => {
  it("takes a mini-swe row's error metadata as typed evidence with its innermost cause", () => {
    expect(rollout(0)).toMatchObject({
      task: "a__b-1",
      sandboxes: ["3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa"],
      endedAt: null,
      emptyOutput: true,
      error: expect.stringContaining("Server disconnected"),
      evidence: [
        {
          layer: "record",
          kind: "error",
          errorType: "RemoteProtocolError",
          errorChain: ["RemoteProtocolError", "SandboxInternalException"],
        },
      ],
    });
  });

  it("sees nothing in a healthy row's trajectory, and no error in the word other", () => {
    expect(rollout(1)).toMatchObject({
      task: "c__d-2",
      index: 2,
      attempt: 1,
      masked: false,
      producerPassed: false,
      hasPatch: true,
      error: null,
      startedAt: 1785368794357,
      endedAt: 1785368794357 + 100_500,
      evidence: [{ layer: "record", kind: "finished", finishedStatus: "failed" }],
    });
  });

  it("flattens settings from an allow-list and leaves secrets and problems out", () => {
    expect(rollout(1)?.config).toEqual({
      image: "registry.example/swe:1",
      swebench_agent_timeout: 2700,
      concurrency: 4,
      "resolved_sandbox_provider.opensandbox.connection.keepalive_expiry_s": 3,
    });
    expect(rollout(3)?.config).toEqual({ type: "opensandbox", override_memory_mb: 2048 });
  });

  it("reads swe_agents' mask where they keep it, and their OOM flag", () => {
    expect(rollout(2)).toMatchObject({
      masked: true,
      startedAt: Date.UTC(2026, 2, 1, 10),
      evidence: [{ producerClass: "oom" }],
    });
  });

  it("reads Harbor's exception and times", () => {
    expect(rollout(3)).toMatchObject({
      task: "hb::t1",
      endedAt: Date.UTC(2026, 2, 1, 10, 10),
      evidence: [
        { errorType: "EnvironmentStartTimeoutError", message: "Environment start timed out after 600 seconds" },
      ],
    });
  });

  it("takes a Harbor row without its trial for a lost one of unknown cause, and no other agent's empty metadata", async () => {
    const row = (task: number, more: object) =>
      JSON.stringify({ _ng_task_index: task, _ng_rollout_index: 0, reward: 0, response: { output: [] }, ...more });
    const lines = [
      row(1, { agent_ref: { name: "swe_harbor_agent" }, metadata: {} }),
      row(2, { agent_ref: { name: "x" }, metadata: {}, memory_limit_exceeded_error: 0, agent_timeout_error: 0 }),
      row(3, { agent_ref: { name: "swe_harbor_agent" }, metadata: {}, agent_timeout_error: 1 }),
      row(4, { agent_ref: { name: "swe_harbor_agent" }, metadata: { trial_name: "t" } }),
      row(5, { agent_ref: { name: "mini_swe_agent_2" }, metadata: {} }),
    ];
    const store = await openMemory();
    await send(store, lines.join("\n"), { run: "r" });
    const rows = (await rollouts(store)).map((one) => [one.task, one.verdict, one.class, one.reward]);
    expect(rows.sort()).toEqual([
      ["1", "not_scored", "unknown", 0],
      ["2", "not_scored", "unknown", 0],
      ["3", "failed", "agent.timeout", 0],
      ["4", "failed", "task.failed", 0],
      ["5", "failed", "task.failed", 0],
    ]);
  });

  it("keeps the words of an error that does not begin with them", () => {
    const said = [
      ["OSError(28, 'No space left on device')", "pod.disk_full"],
      ["OSError(113, 'No route to host')", "transport.connect_refused"],
      [
        "ConnectionError(ProtocolError('Connection aborted.', RemoteDisconnected('Remote end closed connection without response')))",
        "transport.stale_keepalive",
      ],
    ] as const;
    for (const [error, given] of said) {
      const row = JSON.stringify({
        _ng_task_index: 1,
        _ng_rollout_index: 0,
        reward: 0,
        metadata: { error, traceback: "" },
      });
      const [evidence] = readLines(gymRollouts, row).rollouts[0]?.evidence ?? [];
      expect(evidence && classify(evidence).class, error).toBe(given);
    }
  });

  it("keeps a mask apart from an error, and a failed clean-up apart from a lost rollout", () => {
    expect(rollout(4)).toMatchObject({ task: "os-1", masked: true, evidence: [{ producerClass: "max_steps" }] });
    expect(rollout(5)?.evidence).toMatchObject([{ producerClass: "sandbox_failed", phase: "teardown" }]);
  });

  it("counts a sidecar row as not scored and a planned row as planned", () => {
    expect(rollout(6)).toMatchObject({
      scored: false,
      evidence: [{ producerClass: "transient", errorType: "HTTPStatusError" }],
    });
    expect(sink.plans).toEqual([{ task: "7", index: 1 }]);
    expect(rollout(7)?.sandboxes).toEqual(["sb-77"]);
  });

  it("makes nothing of means over rows", () => {
    const line = '{"agent_ref":{"name":"a"},"agent_metrics":{"mean/reward":0.4},"group_level_metrics":[]}';
    const sink = readLines(gymRollouts, line);
    expect([sink.routines.length, sink.plans.length, sink.rollouts.length]).toEqual([1, 0, 0]);
  });

  it("rejects a wrong type by field and type, and a torn line as incomplete, one record each", () => {
    expect(sink.rejects).toEqual([
      {
        line: 10,
        code: "invalid_type",
        message: "_ng_task_index must be a whole number from 0 to 9007199254740991, got string",
      },
      { line: 11, code: "invalid_type", message: "reward must be a number, got string" },
      { line: 12, code: "incomplete", message: expect.any(String) },
    ]);
  });

  it("reads the field case: nine rows, one torn", () => {
    const { rollouts, rejects } = readLines(gymRollouts, caseFile("002-gym-rollouts-and-failures.jsonl"));
    expect(rejects).toMatchObject([{ line: 10, code: "incomplete" }]);
    expect(
      rollouts.map((r) => [
        r.task,
        r.index,
        r.attempt,
        r.scored,
        r.evidence[0]?.errorType,
        r.evidence[0]?.producerClass,
      ]),
    ).toEqual([
      ["0", 0, 0, true, undefined, undefined],
      ["0", 1, 0, true, undefined, undefined],
      ["1", 0, 0, false, "SandboxBackendUnreachableError", "sandbox"],
      ["1", 1, 0, false, "OpenSandboxCreateTimeoutError", "sandbox"],
      ["2", 0, 0, false, "JudgeError", "judge_failed"],
      ["3", 0, 1, false, "RemoteProtocolError", "sandbox"],
      ["3", 0, 2, true, undefined, undefined],
      ["4", 0, 0, true, undefined, "max_iteration"],
      ["5", 0, 0, false, "TimeoutError", "eval_timeout"],
    ]);
    expect(rollouts[2]?.sandboxes).toEqual(["1e00f4df-1cbd-4891-849d-cc533bdbb1ba"]);
    expect(rollouts[0]?.endedAt).toBe(1790000000125);
  });

  it("never throws on any object with Gym's keys", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("reward", "metadata", "response", "instance_config", "exception", "attempt", "sandbox_id"),
          fc.jsonValue(),
        ),
        (row) => {
          gymRollouts.read(
            payloadOf(JSON.stringify({ _ng_task_index: 1, ...row })),
            new RecordingSink(),
            contextWith(),
          );
        },
      ),
    );
  });
});

/** Rewards of the producer's published example rows, in file order. */
const REAL: Record<string, number[]> = {
  "anyswe_agent.jsonl": [1, 0, 0, 0, 0],
  "mini_swe_agent_2.jsonl": [1, 0, 0, 0, 0],
  "osworld_agent.jsonl": [1, 1, 1, 0, 1],
};
const folder = process.env.COALMINE_REAL_RECORDS;

describe.skipIf(!folder || !existsSync(folder))("real records (skipped: COALMINE_REAL_RECORDS names no folder)", () => {
  it.each(Object.entries(REAL))("%s holds five rollouts with its rewards and no infra evidence", (name, rewards) => {
    const { rollouts, rejects } = readLines(gymRollouts, readFileSync(join(folder ?? "", name), "utf8"));
    expect(rejects).toEqual([]);
    expect(rollouts.map((r) => r.reward)).toEqual(rewards);
    expect(rollouts.flatMap((r) => r.evidence).filter((one) => one.kind !== "finished")).toEqual([]);
    expect(rollouts.flatMap((r) => r.sandboxes)).toEqual([]);
  });
});
