import { describe, expect, it } from "vitest";
import { classify } from "@/server/classify/classify";
import { inspectEval, runOfName } from "@/server/ingest/formats/inspect-eval";
import { readDocument, readLines } from "../../support/recording-sink";
import { fixture } from "./fixture";

const FILE = "logs/2026-09-01T08-00-00+00-00_list-files_AbCdEfGhIjKlMnOpQr.eval";

describe("inspect-eval", () => {
  const { rollouts, plans } = readDocument(inspectEval, fixture("inspect-eval/log.json"));
  const classesOf = (task: string) =>
    rollouts.find((one) => one.task === task)?.evidence.map((one) => [one.kind, classify(one).class]);

  it("reads scores, errors, limits and the sandbox of each sample", () => {
    expect(rollouts.map((r) => [r.task, r.index, r.reward, r.scored, r.error])).toEqual([
      ["a", 0, 1, true, null],
      ["2", 0, null, false, "ConnectError: All connection attempts failed (TimeoutError('boom'))"],
      ["c", 0, 0, true, "message_limit"],
      ["d", 0, null, false, null],
      ["e", 0, 0, true, "the sandbox is gone"],
    ]);
    expect(rollouts[0]?.config).toEqual({ "sandbox.type": "docker" });
  });

  it("takes an error that was retried as got over, and the innermost cause of one that was not", () => {
    expect(classesOf("a")).toEqual([["retry", "transport.stale_keepalive"]]);
    expect(classesOf("2")).toEqual([["error", "transport.connect_refused"]]);
  });

  it("calls a limit the agent's, a cancellation no error, and a sandbox that was away the sandbox's", () => {
    expect(classesOf("c")).toEqual([["error", "agent.limits"]]);
    expect(classesOf("d")).toEqual([]);
    expect(classesOf("e")).toEqual([["error", "exec.sandbox_error"]]);
  });

  it("never reads what tools printed", () => {
    expect(JSON.stringify(rollouts)).not.toMatch(/502|Killed/);
  });

  it("plans every sample of the data set, in the run of its task", () => {
    expect(plans.map((plan) => plan.task)).toEqual(["a", "2", "c", "d", "e"]);
    expect(new Set([...plans, ...rollouts].map((one) => one.run))).toEqual(new Set(["list-files_AbCdEfGhIjKlMnOpQr"]));
  });

  it("knows a retried sample of a newer log as a later attempt at the same rollout, by its own start", () => {
    const again = readDocument(
      inspectEval,
      fixture("inspect-eval/retried-sample.json"),
      {},
      `${FILE}/samples/2_epoch_1.json`,
    );
    const [first, second] = [rollouts[1], again.rollouts[0]];
    expect([second?.run, second?.task, second?.index]).toEqual([first?.run, first?.task, first?.index]);
    expect(second?.attempt).toBeGreaterThan(first?.attempt ?? 0);
    expect(second).toMatchObject({ reward: 1, scored: true });
  });

  it("finds the run in a log's name, and none in another's", () => {
    expect(runOfName(FILE)).toBe("list-files_AbCdEfGhIjKlMnOpQr");
    expect(runOfName("renamed.eval")).toBeNull();
  });

  it("reads scores that are not numbers of JSON as unscored", () => {
    const sample =
      '{"id":"n","epoch":1,"input":"q","target":"t","messages":[],"scores":{"s":{"value":NaN}},"note":"a NaN, said"}';
    expect(readLines(inspectEval, sample).rollouts).toMatchObject([{ task: "n", reward: null, scored: false }]);
  });

  it("rejects an epoch that is no number", () => {
    const sample = '{"id":"n","epoch":"one","target":"t","messages":[]}';
    expect(readLines(inspectEval, sample).rejects).toMatchObject([{ message: "epoch must be an integer, got string" }]);
  });
});
