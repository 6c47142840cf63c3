import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { classify } from "@/server/classify/classify";
import { agentTrajectory } from "@/server/ingest/formats/agent-trajectory";
import { evalCases } from "@/server/ingest/formats/eval-cases";
import { harbor } from "@/server/ingest/formats/harbor";
import { pythonLog } from "@/server/ingest/formats/python-log";
import { richConsole } from "@/server/ingest/formats/rich-console";
import { sweBench } from "@/server/ingest/formats/swe-bench";
import { readDocument, readLines } from "../../support/recording-sink";

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");

describe("harbor", () => {
  const sink = readLines(harbor, fixture("harbor/results.jsonl"));

  it("reads the trial's exception, or a step's when the trial has none", () => {
    expect(sink.rollouts.map((r) => [r.task, r.reward, r.scored, r.evidence[0]?.errorType])).toEqual([
      ["t1", null, false, "EnvironmentStartTimeoutError"],
      ["t2", 0, true, "DaytonaError"],
      ["t3", 1, true, undefined],
    ]);
  });

  it("flattens the environment without its secrets", () => {
    expect(sink.rollouts[0]?.config).toEqual({ "environment.type": "daytona", "environment.kwargs.region": "eu" });
    expect(sink.rollouts[2]?.config).toEqual({});
  });

  it("tells trials of one task apart by their names, whichever file or order they come in", () => {
    const trial = (name: string) => `{"task_name":"t1","trial_name":"${name}","verifier_result":null}`;
    const both = readLines(harbor, [trial("t1__aaaaaaa"), trial("t1__bbbbbbb")].join("\n")).rollouts;
    const alone = readLines(harbor, trial("t1__bbbbbbb")).rollouts;
    expect(both[0]?.index).not.toBe(both[1]?.index);
    expect(alone[0]?.index).toBe(both[1]?.index);
  });

  it("takes the last step's reward where a trial in steps has none of its own", () => {
    const steps = '[{"verifier_result":{"rewards":{"reward":0}}},{"verifier_result":{"rewards":{"reward":1}}}]';
    const trial = `{"task_name":"t1","trial_name":"t1__aaaaaaa","verifier_result":null,"step_results":${steps}}`;
    expect(readLines(harbor, trial).rollouts).toMatchObject([{ reward: 1, scored: true }]);
  });

  it("reads a job's own counts and settings without making anything of them", () => {
    const job =
      '{"id":"j","n_total_trials":2,"stats":{"evals":{"a":{"exception_stats":{"DaytonaError":["t1__aaaaaaa"]}}}}}';
    const config = '{"job_name":"exp-7","jobs_dir":"jobs","agents":[]}';
    const read = readLines(harbor, `${job}\n${config}`);
    expect([read.routines.length, read.rollouts.length]).toEqual([2, 0]);
  });

  it("rejects a reward that is no number", () => {
    expect(sink.rejects).toMatchObject([
      { line: 4, message: "verifier_result.rewards.reward must be a number, got string" },
    ]);
  });
});

describe("swe-bench", () => {
  it("makes a rollout of each judged instance, an error of each failed one, and a plan of each that did not finish", () => {
    const sink = readDocument(sweBench, fixture("swe-bench/run.json"));
    expect(
      sink.rollouts.map((r) => [r.task, r.reward, r.producerPassed, r.hasPatch, r.evidence[0]?.producerClass]),
    ).toEqual([
      ["a__b-1", 1, true, null, undefined],
      ["a__b-2", 0, false, true, undefined],
      ["a__b-3", 0, false, false, undefined],
      ["a__b-4", null, null, null, "out_of_memory"],
    ]);
    expect(sink.rollouts.map((r) => r.scored)).toEqual([true, true, true, false]);
    expect(sink.plans).toEqual([{ task: "a__b-5", index: 0 }]);
  });

  it("keeps the word of the report's own judge beside a result, and what it calls ambiguous honest", () => {
    const report = {
      total_instances: 2,
      resolved_ids: [],
      unresolved_ids: ["a__b-1", "a__b-2"],
      infra_failure_ids: ["a__b-1"],
      ambiguous_failure_ids: ["a__b-2"],
      failure_reasons: { "a__b-1": "container_unavailable", "a__b-2": "missing_module" },
    };
    const { rollouts } = readLines(sweBench, JSON.stringify(report));
    expect(rollouts.map((r) => [r.reward, r.scored, r.evidence.map((one) => classify(one))])).toMatchObject([
      [0, true, [{ class: "verify.infra", confidence: "possible" }]],
      [0, true, [{ class: "task.failed" }]],
    ]);
  });

  it("reads one instance's report", () => {
    const report = '{"a__b-1":{"patch_exists":true,"patch_successfully_applied":true,"resolved":true}}';
    expect(readLines(sweBench, report).rollouts).toMatchObject([{ task: "a__b-1", reward: 1, hasPatch: true }]);
  });

  it("rejects a list that is none", () => {
    const report = '{"total_instances":1,"resolved_ids":3}';
    expect(readLines(sweBench, report).rejects).toMatchObject([
      { code: "invalid_type", message: "resolved_ids must be an array, got number" },
    ]);
  });
});

describe("agent-trajectory", () => {
  it("reads how a mini-swe-agent attempt ended, and nothing of what was said in it", () => {
    const { rollouts } = readDocument(agentTrajectory, fixture("agent-trajectory/mini.traj.json"));
    expect(rollouts).toMatchObject([
      {
        task: "a__b-1",
        agent: "mini-swe-agent",
        scored: false,
        sandboxes: ["sb-1"],
        config: { "environment.image": "registry.example/a:1" },
        evidence: [
          {
            errorType: "ReadTimeout",
            errorChain: ["ReadTimeout", "SandboxInternalException"],
            producerClass: "SandboxInternalException",
          },
        ],
      },
    ]);
    expect(JSON.stringify(rollouts)).not.toContain("OOMKilled");
  });

  it("names a SWE-agent attempt by its file, and calls a submission no error", () => {
    const text = '{"trajectory":[],"info":{"exit_status":"submitted","submission":"diff"}}';
    expect(readDocument(agentTrajectory, text, { source: "out/a__b-1/a__b-1.traj" }).rollouts).toMatchObject([
      { task: "a__b-1", error: null, hasPatch: true, evidence: [] },
    ]);
  });
});

describe("eval-cases", () => {
  it("reads a score, an exception and the sandbox that it names; a message alone is no error", () => {
    const sink = readLines(evalCases, fixture("eval-cases/scores.jsonl"));
    expect(
      sink.rollouts.map((r) => [r.task, r.sandboxes[0], r.evidence[0]?.errorType ?? r.evidence[0]?.finishedStatus]),
    ).toEqual([
      ["q00", undefined, "AddTestsDirError"],
      ["q01", "ta-d12a341e", "NotFoundError"],
      ["q02", undefined, "failed"],
      ["q03", undefined, undefined],
    ]);
    expect(sink.rejects).toMatchObject([
      { line: 5, code: "invalid_type", message: "score must be a number, got string" },
    ]);
  });
});

describe("rich-console", () => {
  it("joins wrapped lines, names the instance, and does not count the closing table again", () => {
    const sink = readLines(richConsole, fixture("rich-console/run.log"));
    expect(sink.seen.map((one) => [one.attempt, one.evidence.kind, one.evidence.phase])).toEqual([
      ["proj__a-1", "error", undefined],
      ["proj__b-2", "line", "teardown"],
      ["proj__b-2", "finished", undefined],
    ]);
    expect(sink.seen[0]?.evidence.message).toBe(
      "Failed on proj__a-1: Runtime did not start within timeout 180.0s. Last error: Cannot connect to host 127.0.0.1:41337 ssl:default [Connect call failed]",
    );
    expect(sink.routines).toHaveLength(4);
  });
});

describe("other programs' lines in a harness's log", () => {
  const sink = readLines(pythonLog, fixture("python-log/node-error.log"));

  it("reads a Node.js error block as one error with its cause's code and its socket", () => {
    expect(sink.seen[0]?.evidence).toMatchObject({
      kind: "error",
      code: "UND_ERR_SOCKET",
      errorType: "SocketError",
      errorChain: ["SocketError", "TypeError"],
      message: "TypeError: fetch failed: SocketError: other side closed",
      peer: "10.0.4.4:8080",
      bytesRead: 441,
    });
  });

  it("counts a container's life from the command that made it", () => {
    expect(sink.facts.map((fact) => [fact.ref, fact.name, fact.value])).toEqual([
      ["podname:default/minisweagent-13e5", "ttlS", 7200],
      ["podname:default/minisweagent-13e5", "createdAt", Date.UTC(2026, 3, 2, 10, 41, 55, 854)],
    ]);
    expect(sink.links).toEqual([
      {
        from: "podname:default/minisweagent-13e5",
        to: "sandbox:default/13e5a75215f5bd0a966a",
        since: null,
        until: null,
        how: "text",
      },
    ]);
    expect(sink.seen[2]).toMatchObject({
      sandbox: "13e5a75215f5bd0a966a",
      evidence: { kind: "exit", operationId: "step=180" },
    });
  });

  it("ties a release's failed install, its events and the install that went well", () => {
    expect(sink.seen.slice(3).map((one) => [one.attempt, one.evidence.layer, one.evidence.kind])).toEqual([
      ["m1", "harness", "error"],
      ["m1", "kubernetes", "event"],
      ["m1", "harness", "success"],
    ]);
  });
});
