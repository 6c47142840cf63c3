import { describe, expect, it } from "vitest";
import { classify } from "@/server/classify/classify";
import { agentTrajectory } from "@/server/ingest/formats/agent-trajectory";
import { miniSweBatch } from "@/server/ingest/formats/mini-swe-batch";
import { openhands } from "@/server/ingest/formats/openhands";
import { rllm } from "@/server/ingest/formats/rllm";
import { skyrl } from "@/server/ingest/formats/skyrl";
import { terminalBench } from "@/server/ingest/formats/terminal-bench";
import { verl } from "@/server/ingest/formats/verl";
import { readDocument, readLines } from "../../support/recording-sink";
import { fixture } from "./fixture";

type Sink = ReturnType<typeof readLines>;
const classesOf = (sink: Sink) => sink.rollouts.map((r) => r.evidence.map((one) => classify(one).class));

describe("openhands", () => {
  const sink = readLines(
    openhands,
    fixture("openhands/output.critic_attempt_2.jsonl"),
    {},
    { source: "out/output.critic_attempt_2.jsonl" },
  );

  it("reads the error without its producer's sentence, and the boxes of the row's own attempt", () => {
    expect(sink.rollouts[0]).toMatchObject({
      task: "a__b-1",
      attempt: 1,
      scored: false,
      sandboxes: ["rt-1", "rt-2"],
      startedAt: Date.parse("2026-09-01T08:00:00Z"),
      error: "Server disconnected without sending a response.",
      config: { "resources.factor": 4 },
    });
    expect(classesOf(sink)[0]).toEqual(["transport.stale_keepalive"]);
  });

  it("takes the attempt from the file's name where the row has none", () => {
    expect(sink.rollouts.map((r) => [r.attempt, r.producerPassed, r.scored])).toEqual([
      [1, null, false],
      [1, null, false],
      [1, false, true],
    ]);
  });

  it("reads an error that was printed in colour", () => {
    const row = { instance_id: "a", test_result: {}, history: [], error: "\u001b[31mServer disconnected\u001b[0m" };
    expect(readLines(openhands, JSON.stringify(row)).rollouts).toMatchObject([{ error: "Server disconnected" }]);
  });

  it("rejects an error that is no text, and never reads the history", () => {
    expect(sink.rejects).toMatchObject([{ line: 4, message: "error must be a string, got number" }]);
    expect(JSON.stringify(sink.rollouts)).not.toContain("503");
  });
});

describe("skyrl", () => {
  const read = (name: string, as = "step_12/train/a__b-1_3.json") =>
    readDocument(skyrl, fixture(`skyrl/${name}`), {}, as);

  it("knows instance, step and repeat from the file's name", () => {
    expect(read("won.json").rollouts).toMatchObject([
      {
        task: "a__b-1",
        index: 12_003,
        reward: 1,
        producerPassed: true,
        config: { "environment.image": "registry.example/a:1" },
      },
    ]);
    const renamed = read("won.json", "somewhere.json").rollouts[0];
    expect([renamed?.task, renamed?.index]).not.toEqual(["a__b-1", 12_003]);
  });

  it("takes the end of a test's output for what the tests said, and a judge without a sandbox for infrastructure", () => {
    expect(classesOf(read("tests-said.json"))).toEqual([["task.failed"]]);
    expect(classesOf(read("no-judge.json"))).toEqual([["control.create_timeout"]]);
    expect(read("no-judge.json").rollouts[0]).toMatchObject({ scored: false });
  });
});

describe("rllm", () => {
  it("does not score what ended with an error, though its producer counts it as wrong", () => {
    const sink = readDocument(rllm, fixture("rllm/results.json"));
    expect(sink.rollouts.map((r) => [r.task, r.index, r.producerPassed, r.scored])).toEqual([
      ["0", 0, true, true],
      ["0", 1, null, false],
      ["1", 0, false, true],
    ]);
    expect(classesOf(sink)).toEqual([[], ["control.create_timeout"], ["task.failed"]]);
    expect(sink.rejects).toMatchObject([{ message: "items[].idx must be a number, got string" }]);
  });

  it("reads an episode's end and nothing of its steps", () => {
    expect(readDocument(rllm, fixture("rllm/episode-right.json")).rollouts).toMatchObject([
      { task: "t-9", index: 3, reward: 1, producerPassed: true, evidence: [] },
    ]);
    const lost = readDocument(rllm, fixture("rllm/episode-lost.json"));
    expect(lost.rollouts).toMatchObject([{ scored: false, error: "DaytonaError: 502 Bad Gateway" }]);
  });
});

describe("terminal-bench", () => {
  const sink = readDocument(terminalBench, fixture("terminal-bench/run.json"));

  it("leaves unscored what was never judged", () => {
    expect(sink.rollouts.map((r) => [r.task, r.index, r.producerPassed, r.scored])).toEqual([
      ["t1", 0, true, true],
      ["t1", 1, false, true],
      ["t2", 0, null, false],
      ["t2", 1, null, false],
      ["t3", 0, false, true],
    ]);
    expect(classesOf(sink)).toEqual([[], ["task.failed"], ["unknown"], [], ["agent.timeout"]]);
    expect(sink.rejects).toMatchObject([{ message: "is_resolved must be a boolean, got string" }]);
  });

  it("reads the same trial out of its own file", () => {
    const alone = readDocument(terminalBench, fixture("terminal-bench/trial.json"));
    expect(alone.rollouts).toEqual([sink.rollouts[0]]);
    expect(alone.rollouts[0]?.run).toBe("2026-09-01__08-00-00");
  });
});

describe("verl", () => {
  const sink = readLines(verl, fixture("verl/12.jsonl"));

  it("knows a prompt by its text and its step", () => {
    const tasks = sink.rollouts.map((r) => r.task);
    expect(tasks[0]).toMatch(/^step-12\/[0-9a-f]{12}$/);
    expect([tasks[0] === tasks[1], tasks[1] === tasks[2], tasks[2] === tasks[3]]).toEqual([true, false, false]);
  });

  it("takes only the sandbox service's own words for infrastructure", () => {
    expect(classesOf(sink)).toEqual([[], ["task.failed"], ["exec.sandbox_error"], ["task.failed"]]);
    expect(sink.rejects).toMatchObject([{ line: 5, message: "score must be a number, got string" }]);
  });
});

describe("mini-swe-batch", () => {
  it("plans every instance that was tried", () => {
    const sink = readDocument(miniSweBatch, fixture("mini-swe-batch/preds.json"));
    expect(sink.plans).toEqual([
      { task: "a__b-1", index: 0 },
      { task: "a__b-2", index: 0 },
    ]);
    expect(sink.rollouts).toEqual([]);
  });

  it("makes rollouts of the instances that ended with an exception: those have no trajectory", () => {
    const sink = readLines(miniSweBatch, fixture("mini-swe-batch/exit_statuses_1788000000.yaml"));
    expect(sink.plans.map((plan) => plan.task)).toEqual(["a__b-1", "a__b-4", "a__b-2", "a__b-3"]);
    expect(sink.rollouts.map((r) => [r.task, r.scored, r.evidence[0]?.errorType])).toEqual([
      ["a__b-2", false, "SandboxInternalException"],
      ["a__b-3", false, "SandboxInternalException"],
    ]);
  });

  it("rejects a file of statuses that holds none", () => {
    const sink = readLines(miniSweBatch, "instances_by_exit_status: [1]");
    expect(sink.rejects).toMatchObject([{ message: "instances_by_exit_status must be an object of lists" }]);
  });
});

describe("a SWE-agent trajectory", () => {
  it("whose sandbox died names the sandbox, although a patch was rescued", () => {
    const file = '{"trajectory":[],"info":{"exit_status":"submitted (exit_environment_error)","submission":"diff"}}';
    const sink = readDocument(agentTrajectory, file, {}, "out/a__b-1/a__b-1.traj");
    expect(sink.rollouts).toMatchObject([{ task: "a__b-1", hasPatch: true }]);
    expect(classesOf(sink)).toEqual([["exec.sandbox_error"]]);
  });
});
