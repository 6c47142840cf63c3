import { expect, test } from "vitest";
import { deriveIncidents } from "@/server/derive/incidents";
import { deriveVerdicts } from "@/server/derive/verdict";
import type { Observation } from "@/server/domain/facts";
import type { RolloutRecord } from "@/server/domain/rollout";
import { caseFile, observed, rolloutRecord, SANDBOX, said, settings, withRollouts } from "./observed";

function verdicts(attempts: RolloutRecord[], observations: Observation[] = []) {
  const file = withRollouts(caseFile(observations), attempts);
  const input = {
    attempts,
    incidents: deriveIncidents(file, settings),
    sandboxesOf: () => [{ sandbox: "s1", node: "n1", lastEvidenceAt: null }],
    settings,
  };
  return deriveVerdicts(input).map((v) => [v.id, v.verdict, v.effective, v.class]);
}

const lost = (id: string) =>
  observed({ ...said.stale, layer: "record" }, 0, { refs: [SANDBOX, `rollout:default/${id}`] });

test("the producer's boolean beats the reward, and the reward decides without it", () => {
  expect(verdicts([rolloutRecord({ reward: 0.4, producerPassed: true })])[0]?.[1]).toBe("passed");
  expect(verdicts([rolloutRecord({ reward: 1 })])[0]?.[1]).toBe("passed");
  expect(verdicts([rolloutRecord({ reward: 0.99 })])[0]?.[1]).toBe("failed");
});

test("a reason ends with what is known: with the class where its evidence has no text", () => {
  const reasonFor = (evidence: Observation["evidence"]) => {
    const seen = observed({ ...evidence, layer: "record" }, 0, { refs: [SANDBOX, "rollout:default/r1"] });
    const attempts = [rolloutRecord()];
    const incidents = deriveIncidents(withRollouts(caseFile([seen]), attempts), settings);
    return deriveVerdicts({ attempts, incidents, sandboxesOf: () => [], settings })[0]?.reason;
  };
  expect(reasonFor({ layer: "record", kind: "finished", finishedStatus: "failed" })).toBe("An honest zero (certain).");
  expect(reasonFor(said.stale)).toMatch(/ \(possible\): Server disconnected/);
});

test("a record that says infra is infra-failed though the producer counts it as 0", () => {
  expect(verdicts([rolloutRecord({ error: "x" })], [lost("r1")])).toEqual([
    ["r1", "infra_failed", true, "transport.stale_keepalive"],
  ]);
});

test("a rollout that passed is never infra-failed", () => {
  expect(verdicts([rolloutRecord({ reward: 1 })], [lost("r1")])[0]?.[1]).toBe("passed");
});

test("without a score it is not scored, unless infrastructure ended it", () => {
  expect(verdicts([rolloutRecord({ reward: null, scored: false })])[0]?.[1]).toBe("not_scored");
  expect(verdicts([rolloutRecord({ reward: null, scored: false })], [lost("r1")])[0]?.[1]).toBe("infra_failed");
});

test("the highest attempt that is neither lost nor unscored counts, never the luckiest", () => {
  const first = rolloutRecord({ attempt: 1, reward: 1 });
  const second = rolloutRecord({ id: "r2", attempt: 2, reward: 0 });
  expect(verdicts([first, second]).map((v) => [v[0], v[2]])).toEqual([
    ["r1", false],
    ["r2", true],
  ]);
  expect(
    verdicts([rolloutRecord({ attempt: 1, error: "x" }), second], [lost("r1")]).map((v) => [v[0], v[1], v[2]]),
  ).toEqual([
    ["r1", "infra_failed", false],
    ["r2", "failed", true],
  ]);
});

test("when every attempt was lost the last one counts", () => {
  const attempts = [rolloutRecord({ attempt: 1, error: "x" }), rolloutRecord({ id: "r2", attempt: 2, error: "x" })];
  expect(verdicts(attempts, [lost("r1"), lost("r2")]).map((v) => [v[1], v[2]])).toEqual([
    ["infra_failed", false],
    ["infra_failed", true],
  ]);
});

test("several records of one attempt: the one that was lost explains a judge's empty patch, and one that was not judged", () => {
  const trajectory = rolloutRecord({ content: "a", reward: null, scored: false, error: "x" });
  const empty = rolloutRecord({ content: "b", reward: 0, producerPassed: false, hasPatch: false });
  const wrong = rolloutRecord({ content: "b", reward: 0, producerPassed: false, hasPatch: true });
  const unjudged = rolloutRecord({ content: "z", reward: null, scored: false });
  const effective = (records: RolloutRecord[]) => {
    const own = observed({ ...said.stale, layer: "record" }, 0, { refs: [SANDBOX, "rollout:default/r1"] });
    return verdicts(records, [own]).filter((row) => row[2]);
  };
  expect(effective([trajectory])).toEqual([["r1", "infra_failed", true, "transport.stale_keepalive"]]);
  expect(effective([trajectory, empty])).toHaveLength(1);
  expect(effective([trajectory, unjudged])[0]?.[1]).toBe("infra_failed");
  expect(effective([empty, wrong])[0]?.[1]).not.toBe("passed");
});
