import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveIncidents } from "@/server/derive/incidents";
import type { Observation } from "@/server/domain/facts";
import { caseFile, fact, observed, rolloutRecord, SANDBOX, said, settings, T0, withRollouts } from "./observed";

const derive = (file: Parameters<typeof deriveIncidents>[0]) =>
  deriveIncidents(file, settings).map((one) => one.incident);
const brief = (observations: Observation[]) =>
  derive(caseFile(observations)).map((i) => [i.class, i.outcome, i.attempts]);

test("retries that end in a success are one absorbed incident with its attempts", () => {
  expect(brief([observed(said.retry502(1), 0), observed(said.retry502(2), 1), observed(said.execOk, 2)])).toEqual([
    ["proxy.backend_502", "absorbed", 2],
  ]);
});

test("retries that end in the typed error are one fatal incident of the class that says most", () => {
  const tries = [1, 2, 3, 4, 5].map((n) => observed(said.retry502(n), n));
  expect(brief([...tries, observed(said.dead, 9)])).toEqual([["proxy.backend_dead", "fatal", 6]]);
});

test("retry lines followed by nothing are absorbed: the budget was not spent", () => {
  expect(brief([observed(said.retry502(1), 0), observed(said.retry502(2), 1)])).toEqual([
    ["proxy.backend_502", "absorbed", 2],
  ]);
});

test("what a record says was tried again is absorbed, also when the attempt failed honestly", () => {
  const retried = { ...said.stale, layer: "record" as const, kind: "retry" as const };
  const honest = { layer: "record" as const, kind: "finished" as const, finishedStatus: "failed" };
  expect(brief([observed(retried, 0), observed(honest, 0)])[0]).toEqual(["transport.stale_keepalive", "absorbed", 1]);
});

test("equal failures that nothing ties together stay apart", () => {
  expect(brief([observed(said.stale, 0), observed(said.stale, 0.2)]).length).toBe(2);
});

test("an attempt that ends in error makes the failure before it fatal, one that goes on makes it absorbed", () => {
  expect(brief([observed(said.stale, 0), observed(said.finished("error"), 1)])).toEqual([
    ["transport.stale_keepalive", "fatal", 1],
  ]);
  expect(brief([observed(said.stale, 0), observed(said.finished("ok"), 60)])).toEqual([
    ["transport.stale_keepalive", "absorbed", 1],
  ]);
});

test("a failure with nothing after it stays unknown", () => {
  expect(brief([observed(said.stale, 0)])).toEqual([["transport.stale_keepalive", "unknown", 1]]);
});

test("a failure after the attempt ended is teardown", () => {
  expect(brief([observed(said.finished("ok"), 0), observed(said.stale, 5)])).toEqual([
    ["transport.stale_keepalive", "teardown", 1],
  ]);
});

test("a 502 within a minute of an OOM kill is its symptom; one two minutes away is its own incident", () => {
  const near = derive(caseFile([observed(said.oomKilled, 0), observed(said.dead, 30)]));
  expect(near.map((i) => [i.class, i.outcome, i.symptoms, i.evidence])).toEqual([
    ["pod.oom_killed", "fatal", ["proxy.backend_dead"], 2],
  ]);
  expect(brief([observed(said.oomKilled, 0), observed(said.dead, 121)]).map((row) => row[0])).toEqual([
    "pod.oom_killed",
    "proxy.backend_dead",
  ]);
});

test("a 502 within ten seconds of create raced the exec daemon; later it did not", () => {
  const at = (seconds: number) =>
    derive(caseFile([observed(said.retry502(1), seconds)], { facts: [fact("createdAt", T0)] })).map((i) => i.class);
  expect(at(9)).toEqual(["proxy.bind_race"]);
  expect(at(11)).toEqual(["proxy.backend_502"]);
});

test("a canary knows whether the daemon had answered: then a 502 soon after create is no race", () => {
  const probe = (daemonAnswered: boolean) =>
    observed({ ...said.retry502(1), layer: "canary", kind: "probe", daemonAnswered }, 3);
  const classOf = (answered: boolean) =>
    derive(caseFile([probe(answered)], { facts: [fact("createdAt", T0)] })).map((i) => i.class);
  expect(classOf(true)).toEqual(["proxy.backend_502"]);
  expect(classOf(false)).toEqual(["proxy.bind_race"]);
});

test("an incident on a rollout that passed is never fatal", () => {
  const file = withRollouts(caseFile([observed(said.stale, 0)]), [rolloutRecord({ reward: 1 })]);
  expect(derive(file).map((i) => [i.outcome, i.rollout])).toEqual([["absorbed", "r1"]]);
});

test("an OOM kill under a rollout that ended without passing ended it", () => {
  const file = withRollouts(caseFile([observed(said.oomKilled, 0)]), [rolloutRecord({ reward: 0 })]);
  expect(derive(file).map((i) => i.outcome)).toEqual(["fatal"]);
});

test("a failed attempt with a later attempt that came through is absorbed", () => {
  const record = observed({ ...said.stale, layer: "record" }, 0, { refs: [SANDBOX, "rollout:default/r1"] });
  const attempts = [
    rolloutRecord({ attempt: 1, error: "x" }),
    rolloutRecord({ id: "r2", attempt: 2, reward: 1, sandboxes: [] }),
  ];
  const file = { ...withRollouts(caseFile([record]), attempts.slice(0, 1)), rollouts: attempts };
  expect(deriveIncidents(file, settings).map((one) => [one.incident.outcome, one.ended])).toEqual([["absorbed", "r1"]]);
});

test("the node is what the best source says, whenever it said so", () => {
  const facts = [fact("node", "guess", { rank: 2, at: T0 + 1 }), fact("node", "node-7", { rank: 5, at: T0 })];
  expect(derive(caseFile([observed(said.stale, 0)], { facts }))[0]?.node).toBe("node-7");
});

test("a reused pod's evidence goes to the sandbox that held it then", () => {
  const pod = "pod:default/p";
  const links = [
    { from: pod, to: SANDBOX, since: T0, until: T0 + 100_000, how: "annotation" as const },
    { from: pod, to: "sandbox:default/s2", since: T0 + 100_001, until: null, how: "annotation" as const },
  ];
  const seen = [observed(said.oomKilled, 50, { refs: [pod] }), observed(said.oomKilled, 500, { refs: [pod] })];
  expect(derive(caseFile(seen, { members: [pod, SANDBOX], links })).map((i) => i.firstAt)).toEqual([T0 + 50_000]);
});

test("a chain across a bucket's border is one incident, in the bucket where it began", () => {
  const refs = ["stream:default/a@100", "stream:default/a@101"] as const;
  const left = {
    layer: "execd",
    kind: "error",
    message: "StreamEvent.OnExecuteStdout: client disconnected",
    sampled: true,
  } as const;
  const seen = [observed(left, 0, { refs: [refs[0]] }), observed(left, 1, { refs: [refs[1]] })];
  const of = (subject: string) =>
    derive({ ...caseFile(seen), subject, members: [subject] }).map((i) => [i.attempts, i.atLeast]);
  expect(of(refs[0])).toEqual([[2, true]]);
  expect(of(refs[1])).toEqual([]);
});

test("order and repetition of observations change nothing", () => {
  const seen = [
    observed(said.retry502(1), 0),
    observed(said.retry502(2), 1),
    observed(said.execOk, 2),
    observed(said.stale, 100),
    observed(said.oomKilled, 130),
    observed(said.dead, 140),
    observed(said.finished("error"), 141),
    observed(said.stale, 300),
  ];
  const plain = derive(caseFile(seen));
  fc.assert(
    fc.property(fc.shuffledSubarray([...seen, ...seen.slice(0, 4)], { minLength: seen.length + 4 }), (mixed) => {
      expect(derive(caseFile(mixed))).toEqual(plain);
    }),
  );
});

test("of two runs that name the sandbox, evidence is about the rollout of its own", () => {
  const rollouts = ["a", "b"].map((run) => rolloutRecord({ id: run, group: run, run, endedAt: null, startedAt: null }));
  const [killed] = derive(withRollouts(caseFile([observed(said.oomKilled, 0, { run: "b" })]), rollouts));
  expect([killed?.outcome, killed?.rollout, killed?.run]).toEqual(["fatal", "b", "b"]);
});
