import { describe, expect, it } from "vitest";
import { classify } from "@/server/classify/classify";
import { primeRl } from "@/server/ingest/formats/prime-rl";
import { verifiers } from "@/server/ingest/formats/verifiers";
import { readLines } from "../../support/recording-sink";
import { fixture } from "./fixture";

const classesOf = (evidence: Parameters<typeof classify>[0][] | undefined) =>
  evidence?.map((one) => [one.kind, classify(one).class]);

describe("verifiers", () => {
  const sink = readLines(verifiers, fixture("verifiers/traces.jsonl"));

  it("makes a rollout of each trace, with its sandbox, resources, times and weighted reward", () => {
    expect(sink.rollouts.map((r) => [r.task, r.reward, r.scored, r.run])).toEqual([
      ["t1", 1, true, "night"],
      ["t1", null, false, "night"],
      ["t2", 0, true, "night"],
      ["t3", null, false, "night"],
    ]);
    expect(sink.rollouts[0]).toMatchObject({
      sandboxes: ["sbx-71"],
      startedAt: 1_788_000_000_500,
      endedAt: 1_788_000_110_000,
      config: { "runtime.type": "prime", "runtime.image": "registry.example/a:1", "runtime.cpu": 2 },
    });
    expect(sink.rollouts[0]?.config).not.toHaveProperty("runtime.id");
  });

  it("has no reward where rewards that are finite add up to none that is", () => {
    const [line = ""] = fixture("verifiers/traces.jsonl").split("\n");
    const episode = JSON.parse(line) as { traces: { rewards: object }[] };
    for (const trace of episode.traces) trace.rewards = { a: { score: 1e308, weight: 10 }, b: { score: 1 } };
    const { rollouts } = readLines(verifiers, JSON.stringify(episode));
    expect(rollouts.map((one) => [one.reward, one.scored])).toContainEqual([null, false]);
    expect(rollouts.every((one) => one.reward === null)).toBe(true);
  });

  it("takes the errors of a trace that is ok as got over", () => {
    expect(sink.rollouts[0]).toMatchObject({
      error: null,
      evidence: [{ kind: "retry", producerClass: "SandboxError" }],
    });
  });

  it("lets the last error decide of one that is not, by its innermost cause", () => {
    expect(classesOf(sink.rollouts[1]?.evidence)).toEqual([
      ["error", "transport.stale_keepalive"],
      ["retry", "model.endpoint"],
    ]);
  });

  it("calls a stop at a limit the agent's, and leaves what nobody can name unknown", () => {
    expect(classesOf(sink.rollouts[2]?.evidence)).toEqual([["error", "agent.limits"]]);
    expect(classesOf(sink.rollouts[3]?.evidence)).toEqual([["error", "unknown"]]);
  });

  it("tells repeats of a task apart by their own ids, in whatever order they come", () => {
    const lines = fixture("verifiers/traces.jsonl").trimEnd().split("\n");
    const turned = readLines(verifiers, lines.toReversed().join("\n"));
    const keys = (rollouts: typeof sink.rollouts) => rollouts.map((r) => `${r.task} ${r.index}`).sort();
    expect(keys(turned.rollouts)).toEqual(keys(sink.rollouts));
    expect(new Set(keys(sink.rollouts)).size).toBe(4);
  });

  it("rejects a task that is no object", () => {
    expect(sink.rejects).toMatchObject([{ line: 5, message: "task must be an object, got string" }]);
  });

  it("never reads messages or prompts", () => {
    expect(JSON.stringify(sink.rollouts)).not.toMatch(/OOMKilled|everywhere/);
  });
});

describe("verifiers before it had traces", () => {
  const sink = readLines(verifiers, fixture("verifiers/results.jsonl"));

  it("walks the error's chain to what really failed", () => {
    expect(sink.rollouts[0]).toMatchObject({
      task: "7",
      scored: false,
      evidence: [{ errorType: "SandboxOOMError", errorChain: ["SandboxOOMError", "SandboxError"] }],
    });
    expect(classesOf(sink.rollouts[0]?.evidence)).toEqual([["error", "pod.oom_killed"]]);
  });

  it("reads rewards and times, and rejects a reward that is no number", () => {
    expect(sink.rollouts.slice(1).map((r) => [r.task, r.reward, r.endedAt])).toEqual([
      ["7", 1, 1_788_000_060_000],
      ["8", 0, 1_788_000_060_000],
    ]);
    expect(sink.rejects).toMatchObject([{ line: 4, message: "reward must be a number, got string" }]);
  });
});

describe("prime-rl", () => {
  it("counts metrics as read and makes nothing of them", () => {
    const sink = readLines(primeRl, fixture("prime-rl/metrics.jsonl"));
    expect([sink.routines.length, sink.rollouts.length, sink.seen.length]).toEqual([1, 0, 0]);
  });
});
