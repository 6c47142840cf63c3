import { describe, expect, test } from "vitest";
import { aroundZero, axisOf, placeOn } from "@/app/compare/axis";
import { compareHref, pairOf } from "@/app/compare/compare-parsers";
import {
  differenceText,
  headline,
  intervalText,
  pText,
  shownEstimate,
  sizeText,
  unitOf,
} from "@/app/compare/compare-text";
import { effectiveText, marksOf, requestedText } from "@/app/compare/config-text";
import { csvOf, metricsCsv } from "@/app/compare/csv";
import type { ConfigChange, ConfigSide } from "@/server/compare/answer";
import { type ComparedRun, compareRuns } from "@/server/compare/compare-runs";

const run = (id: string, lost: number, passed: number, config: ComparedRun["config"]["common"] = {}): ComparedRun => ({
  id,
  name: id,
  missing: null,
  config: { common: config, varying: {}, effective: {} },
  rollouts: Array.from({ length: 40 }, (_, i) => {
    const verdict = i < lost ? "infra_failed" : i < lost + passed ? "passed" : "failed";
    const reward = verdict === "passed" ? 1 : 0;
    return {
      task: `t${i % 20}`,
      index: Math.floor(i / 20),
      verdict,
      family: verdict === "infra_failed" ? "oom" : null,
      reward,
    };
  }),
});

const answer = compareRuns(run("old", 12, 10), run("new", 2, 25), 1);

describe("a difference", () => {
  const fewer = unitOf({ id: "infraRate", better: "lower" });
  const more = unitOf({ id: "meanReward", better: "higher" });

  test("is said in words, so that its sign needs no convention", () => {
    expect(differenceText(0.0638, fewer)).toBe("6.4 points fewer");
    expect(differenceText(-0.02, fewer)).toBe("2.0 points more");
    expect(differenceText(0.094, more)).toBe("0.094 more");
    expect(differenceText(-0.0004, fewer)).toBe("the same");
  });

  test("has an interval that says on which side of zero it lies, or on both", () => {
    expect(intervalText({ low: 0.0161, high: 0.1114 }, fewer)).toBe("1.6 to 11.1 points fewer");
    expect(intervalText({ low: -0.1114, high: -0.0161 }, fewer)).toBe("1.6 to 11.1 points more");
    expect(intervalText({ low: -0.025, high: 0.027 }, fewer)).toBe("2.5 points more to 2.7 points fewer");
    expect(intervalText({ low: null, high: null }, more)).toBe("no interval");
  });

  test("keeps small p-values readable", () => {
    expect([pText(0.00956), pText(0.0002), pText(0.4033), pText(null)]).toEqual([
      "p 0.0096",
      "p < 0.001",
      "p 0.40",
      "",
    ]);
  });

  test("is the one that decides unless the reader asks for the other, where there is one", () => {
    const passAt1 = answer.metrics.find((metric) => metric.id === "passAt1");
    if (!passAt1) throw new Error("pass@1 is always compared");
    expect(shownEstimate(passAt1, "auto")).toMatchObject({ on: "pairs", pairs: 40 });
    expect(shownEstimate(passAt1, "unpaired")).toMatchObject({ on: "all", pairs: null });
    expect(shownEstimate({ ...passAt1, paired: null }, "paired")).toMatchObject({ on: "all" });
    expect(shownEstimate({ ...passAt1, paired: null, unpaired: null }, "auto")).toBeNull();
  });
});

test("a value carries its size", () => {
  const [infra, pass] = answer.metrics;
  if (!infra?.baseline || !pass?.baseline) throw new Error("both runs have rollouts");
  expect(sizeText(infra, infra.baseline)).toMatch(/^12\/40 · \d/);
  expect(sizeText(pass, pass.baseline)).toMatch(/^20 tasks · \d/);
});

test("the sentence sets its verdict apart, and stays whole without one", () => {
  expect(headline("Better: fell from 13.0 %.")).toEqual({ word: "Better", rest: ": fell from 13.0 %." });
  expect(headline("Nothing to say.")).toEqual({ word: "", rest: "Nothing to say." });
});

describe("the axes", () => {
  test("have round ends around all values and begin at zero when that is near", () => {
    expect(axisOf([0.13, 0.066, 0.043, 0.171])).toEqual({ from: 0, to: 0.2 });
    expect(axisOf([0.524, 0.7246])).toEqual({ from: 0.5, to: 0.75 });
    expect(axisOf([])).toEqual({ from: 0, to: 1 });
    expect(axisOf([0.3, 0.3]).to).toBeGreaterThan(axisOf([0.3, 0.3]).from);
    expect(axisOf([-2, 30])).toEqual({ from: -10, to: 30 });
  });

  test("of differences are as long to the left as to the right", () => {
    expect(aroundZero([0.111, 0.016])).toEqual({ from: -0.15, to: 0.15 });
    expect(aroundZero([])).toEqual({ from: -0.01, to: 0.01 });
    expect(placeOn(aroundZero([0.1]), 0, 200)).toBe(100);
  });
});

describe("a setting", () => {
  const side = (more: Partial<ConfigSide>): ConfigSide => ({
    requested: null,
    effective: null,
    silent: false,
    defaultValue: null,
    overridden: false,
    varying: null,
    ...more,
  });
  const change = (key: string, more: Partial<ConfigChange> = {}): ConfigChange => ({
    key,
    baseline: side({ requested: 1 }),
    candidate: side({ requested: 2 }),
    differs: true,
    matters: true,
    ...more,
  });
  const diff = (differing: string[]) => ({
    changes: [],
    differing,
    confounded: differing.length > 1,
    known: { baseline: true, candidate: true },
  });

  test("that differs alone is the change; one of several confounds", () => {
    expect(marksOf(change("a"), diff(["a"]))).toEqual(["the change"]);
    expect(marksOf(change("a"), diff(["a", "b"]))).toEqual(["confound"]);
    expect(marksOf(change("run.id", { matters: false }), diff(["a"]))).toEqual(["no matter"]);
  });

  test("that nobody asked for, or that Kubernetes changed, is marked", () => {
    const silent = side({ silent: true, defaultValue: 30 });
    const marks = marksOf(change("keepalive", { baseline: silent, candidate: side({ overridden: true }) }), diff([]));
    expect(marks).toEqual(["silent default", "overridden"]);
    expect(requestedText("keepalive", silent)).toBe("not set, 30 by default");
    expect(requestedText("keepalive", side({ silent: true }))).toBe("not set");
  });

  test("shows several values with their rollouts, and memory as Kubernetes set it", () => {
    expect(
      requestedText(
        "m",
        side({
          varying: [
            { value: 2, n: 10 },
            { value: 4, n: 1 },
          ],
        }),
      ),
    ).toBe("2 ×10, 4 ×1");
    expect(effectiveText("resources.memory_mib", side({ requested: 2048, effective: 2 ** 31, overridden: true }))).toBe(
      "set: 2 GiB",
    );
    expect(effectiveText("resources.memory_mib", side({ requested: 2048, effective: 2 ** 31 }))).toBeNull();
  });
});

test("a table saved as CSV quotes what must be quoted and starts no formula", () => {
  expect(
    csvOf(
      ["a", "b"],
      [
        ["x,y", 1],
        ['say "hi"', null],
        ["=1+1", -2],
      ],
    ),
  ).toBe('a,b\r\n"x,y",1\r\n"say ""hi""",\r\n\'=1+1,-2\r\n');
  const lines = metricsCsv(answer, "auto").trimEnd().split("\r\n");
  expect(lines).toHaveLength(1 + answer.metrics.length);
  expect(new Set(lines.map((line) => line.split(",").length))).toEqual(new Set([15]));
});

test("a comparison needs two runs that differ", () => {
  expect(pairOf({ baseline: "a", candidate: null })).toBeNull();
  expect(pairOf({ baseline: "a", candidate: "a" })).toBeNull();
  expect(pairOf({ baseline: "a", candidate: "b" })).toEqual({ baseline: "a", candidate: "b" });
  expect(compareHref({ baseline: "a b" })).toBe("/compare?baseline=a+b");
  expect(compareHref({})).toBe("/compare");
});
