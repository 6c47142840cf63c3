import { expect, test } from "vitest";
import { applyEvents, EMPTY_LOG } from "@/app/canaries/[id]/canary-log";
import { freshOnly, type GapPoint, gapRows, gapWords, placeGap } from "@/app/canaries/[id]/gap-rows";
import { placeSteps, tookMs, worthSeeing } from "@/app/canaries/[id]/waterfall-place";
import { sentenceOfTargets } from "@/app/canaries/canaries-sentence";
import { optionFields, optionsFrom, optionsInLink, textIn } from "@/app/canaries/option-fields";
import { checkRequest, planAnswers } from "@/server/canary/plans/list";
import { targetAnswer } from "@/server/canary/target-answer";
import type { CanaryEvent, CanaryStep, CanarySummary } from "@/server/domain/canary";
import { targetAt } from "./fleet";

const step = (name: string, at: number, ms: number, ok = true): CanaryStep => ({
  name,
  at: new Date(at).toISOString(),
  ms,
  ok,
  class: ok ? null : "proxy.bind_race",
  message: null,
  code: null,
  status: 200,
  reused: null,
  idleMs: null,
  ownFault: false,
  phases: null,
});
const event = (id: number, type: CanaryEvent["type"], data: object): CanaryEvent => ({
  id,
  at: new Date(0).toISOString(),
  type,
  data: data as Record<string, unknown>,
});

test("events become cycles, progress and state; those heard before change nothing", () => {
  const events = [
    event(1, "state", { state: "running" }),
    event(2, "step", { cycle: "a", ...step("create", 0, 100) }),
    event(3, "step", { cycle: "b", ...step("create", 10, 100) }),
    event(4, "step", { cycle: "a", ...step("exec", 100, 50, false) }),
    event(5, "progress", { text: "1 of 2", done: 1, total: 2 }),
  ];
  const log = applyEvents(EMPTY_LOG, events);
  expect(log.cycles.map((cycle) => [cycle.id, cycle.steps.length, cycle.end])).toEqual([
    ["a", 2, null],
    ["b", 1, null],
  ]);
  expect([log.state, log.last, log.progress?.done]).toEqual(["running", 5, 1]);
  expect(applyEvents(log, events)).toBe(log);
});

test("every plan's options make a form, and an empty form is the plan as usual", () => {
  const target = targetAt("http://127.0.0.1:1");
  for (const plan of planAnswers()) {
    const fields = optionFields(plan.options);
    expect(fields.length).toBeGreaterThan(5);
    const empty = optionsFrom(fields, () => "");
    expect(empty).toEqual({ options: {} });
    const needed = plan.name === "replay" ? { gapsS: [1] } : plan.name === "ab" ? { plan: "smoke", a: {}, b: {} } : {};
    expect(() => checkRequest(target, plan.name, needed)).not.toThrow();
  }
});

test("what is written into a form becomes typed options, nested where they are", () => {
  const burst = planAnswers().find((plan) => plan.name === "burst");
  const fields = optionFields(burst?.options ?? {});
  expect(fields.find((field) => field.path[0] === "cycles")).toMatchObject({
    kind: "number",
    min: 1,
    max: 2000,
    whole: true,
  });
  const written: Record<string, string> = {
    cycles: "8",
    "transport.profile": "unbounded",
    "transport.keepaliveExpiryS": "4.5",
    "limits.memory": "256Mi",
    metadata: '{"team":"a"}',
  };
  expect(optionsFrom(fields, (name) => written[name] ?? "")).toEqual({
    options: {
      cycles: 8,
      transport: { profile: "unbounded", keepaliveExpiryS: 4.5 },
      limits: { memory: "256Mi" },
      metadata: { team: "a" },
    },
  });
  expect(optionsFrom(fields, (name) => (name === "metadata" ? "{" : ""))).toEqual({
    error: "metadata: “{” cannot be read.",
  });
});

test("a list of gaps is read from commas and spaces", () => {
  const fields = optionFields(planAnswers().find((plan) => plan.name === "idle-gap")?.options ?? {});
  const written: Record<string, string> = { gapsS: "1, 2.5 4", profiles: "bounded" };
  expect(optionsFrom(fields, (name) => written[name] ?? "")).toEqual({
    options: { gapsS: [1, 2.5, 4], profiles: ["bounded"] },
  });
});

test("options that a link brings stand in the form, and come out as they went in", () => {
  const fields = optionFields(planAnswers().find((plan) => plan.name === "idle-gap")?.options ?? {});
  const options = { gapsS: [1, 2.5], path: "sandbox", transport: { profile: "bounded", keepaliveExpiryS: 3 } };
  const given = optionsInLink(JSON.stringify(options));
  const texts = new Map(fields.map((field) => [field.path.join("."), textIn(field, given)]));
  expect(optionsFrom(fields, (name) => texts.get(name) ?? "")).toEqual({ options });
  expect([optionsInLink("["), optionsInLink("[1]"), optionsInLink(null)]).toEqual([{}, {}, {}]);
});

test("steps lie where they happened, and are never outside of the line nor invisible", () => {
  const cycle = { id: "a", steps: [step("create", 1_000, 800), step("exec", 1_900, 0)], end: null };
  expect(tookMs(cycle)).toBe(900);
  expect(placeSteps(cycle, 1_800, 180)).toEqual([
    { step: cycle.steps[0], x: 0, width: 80 },
    { step: cycle.steps[1], x: 90, width: 2 },
  ]);
  const [last] = placeSteps({ ...cycle, steps: [step("exec", 1_000, 5_000)] }, 1_000, 100);
  expect(last).toMatchObject({ x: 0, width: 100 });
});

test("of many cycles the failed ones are seen first, then the newest", () => {
  const cycles = Array.from({ length: 9 }, (_, i) => ({
    id: String(i),
    steps: [step("exec", i, 1, i !== 2)],
    end: null,
  }));
  expect(worthSeeing(cycles, 3).map((cycle) => cycle.id)).toEqual(["2", "7", "8"]);
});

test("a gap's newest point counts until the result has its rows", () => {
  const point = { profile: "bounded", gapS: 1, sent: 2, reused: 1, failed: 0, failedFresh: 0, rate: null, classes: {} };
  expect(gapRows(null, [point, { ...point, reused: 2 }])).toEqual([{ ...point, reused: 2 }]);
  expect(gapRows({ rows: [{ ...point, reused: 9 }] }, [point])[0]?.reused).toBe(9);
});

test("gaps have columns of one width, however near they are to each other", () => {
  const gaps = [1, 4.9, 4.95, 60];
  expect(gaps.map((gap) => placeGap(gap, gaps, 0, 80))).toEqual([10, 30, 50, 70]);
  expect(placeGap(5, [5], 0, 100)).toBe(50);
});

test("a gap after which every socket was a fresh one says nothing of reuse", () => {
  const counts = [
    [0, 0],
    [4, 0],
    [4, 1],
  ] as const;
  expect(counts.map(([sent, reused]) => freshOnly({ sent, reused }))).toEqual([false, true, false]);
});

test("the cliff in words: inside and outside of the danger window, with intervals, and what the failures were", () => {
  const row = (profile: string, gapS: number, reused: number, failed: number): GapPoint => ({
    profile,
    gapS,
    sent: 40,
    reused,
    failed,
    failedFresh: 0,
    rate: null,
    classes: failed > 0 ? { "transport.stale_keepalive": failed } : {},
  });
  const rows = [
    row("unbounded", 4, 40, 0),
    row("unbounded", 4.9, 40, 40),
    row("bounded", 2, 40, 0),
    row("bounded", 4.9, 0, 0),
  ];
  expect(gapWords(rows, ["unbounded", "bounded"], { fromS: 4.9, toS: 4.9 })).toBe(
    "unbounded: 40 of 40 reuses failed in the danger window (91.2–100.0 %), 0 of 40 reuses failed outside of it (0.0–8.8 %). " +
      "bounded: 0 of 40 reuses failed (0.0–8.8 %). Failures: transport.stale_keepalive.",
  );
});

test("the sentence names failing targets, and says when nothing has run", () => {
  const one = targetAnswer(targetAt("http://127.0.0.1:1"), false, []);
  expect(sentenceOfTargets([one])).toBe("1 target, and no canary has run yet.");
  const run = { id: "c-1", target: "here", plan: "smoke", state: "failed", by: "x" } as NonNullable<typeof one.last>;
  expect(sentenceOfTargets([{ ...one, last: run, queued: 2 }])).toBe(
    "The newest canary failed on here. 2 runs are going or waiting.",
  );
});

test("a target's light is its newest smoke or scheduled run that said something of it", () => {
  const target = targetAt("http://127.0.0.1:1");
  const run = (id: string, plan: string, state: string, by = "request") => ({ id, target: "here", plan, state, by });
  const light = (...runs: object[]) => targetAnswer(target, false, runs as CanarySummary[]).light?.id ?? null;
  expect(light(run("c-3", "burst", "failed"), run("c-2", "smoke", "cancelled"), run("c-1", "smoke", "passed"))).toBe(
    "c-1",
  );
  expect(light(run("c-4", "idle-gap", "failed", "schedule every 5m"))).toBe("c-4");
  expect(light(run("c-5", "burst", "passed"))).toBeNull();
});
