import { describe, expect, test } from "vitest";
import { pValue } from "@/app/_ui/format";
import { nodeHeadline } from "@/app/nodes/[node]/node-headline";
import { nodeHref } from "@/app/nodes/[node]/node-href";
import { hoursShown, testNotes } from "@/app/nodes/[node]/node-words";
import type { NodeDetail } from "@/server/domain/node-detail";

const none = { disconnect: 0, proxy: 0, oom: 0, startup: 0, scheduling: 0, node: 0, other: 0 };
const rate = (k: number, n: number) => ({ k, n, value: k / n, low: 0.1, high: 0.6 });

const node: NodeDetail = {
  node: "n-7",
  rollouts: 9,
  infraFailed: rate(3, 9),
  expected: 0.386,
  byFamily: { ...none, proxy: 3 },
  incidents: 3,
  absorbed: 0,
  runs: 1,
  lastAt: null,
  hours: [],
  p: 0.0015,
  q: 0.038,
  verdict: "suspect",
  reason: null,
  sentence: null,
  tested: 25,
  fleetWide: false,
  strata: [],
  families: [],
  burst: { failures: 3, p: 0.0015 },
  attribution: null,
  smallestExcess: { failures: 3, rate: 0.418, times: null },
  classes: [],
  timeline: [],
  conditions: [],
  events: [],
  newest: [],
  canary: null,
  commands: { cordon: "", drain: "", taint: "", uncordon: "" },
  check: { plan: "node-check", options: {} },
};

describe("the first sentence about a node", () => {
  test("says what was lost there against what chance would give", () => {
    expect(nodeHeadline(node)).toBe(
      "3 of 9 rollouts on n-7 were lost to infrastructure: 33.3 % (10.0–60.0 %), where 0.4 were to be expected.",
    );
    expect(nodeHeadline({ ...node, infraFailed: rate(1, 9), expected: null })).toMatch(
      /^1 of 9 rollouts on n-7 was lost/,
    );
  });

  test("says none with its upper bound, and that nothing is known when nothing is", () => {
    expect(nodeHeadline({ ...node, infraFailed: rate(0, 9) })).toMatch(/^None of 9 rollouts .* \(at most 60\.0 %/);
    expect(nodeHeadline({ ...node, infraFailed: null })).toBe("No finished rollout is known to have run on n-7.");
  });
});

describe("what to bear in mind of the test", () => {
  test("is silent about bursts where there was none", () => {
    expect(testNotes(node)).toEqual([
      "With so many rollouts it takes 3 failures to stand out: a node that loses about 42 % is found four times out of five.",
    ]);
  });

  test("says when one burst may be all there is", () => {
    expect(testNotes({ ...node, burst: { failures: 1, p: 0.33 } })[0]).toBe(
      "With failures within 60 s of each other counted once there are 1, and p is 0.33. One burst may be all there is.",
    );
  });

  test("says when it is known too unevenly where rollouts ran, and when nothing could have shown", () => {
    const attribution = { failed: rate(3, 3), notFailed: rate(30, 60), even: false };
    const notes = testNotes({ ...node, attribution, smallestExcess: null });
    expect(notes[0]).toMatch(/100 % \(3 of 3\) of those lost and 50 % \(30 of 60\).*too uneven to judge by/);
    expect(notes[1]).toBe("So few rollouts could not have shown any excess.");
    expect(testNotes({ ...node, attribution: null, infraFailed: null, smallestExcess: null })).toEqual([]);
  });
});

describe("hours of a node", () => {
  const bucket = (at: string) => ({ at, well: 1, byFamily: none });

  test("are filled where nothing ran between them", () => {
    const shown = hoursShown([bucket("2026-03-01T08:00:00.000Z"), bucket("2026-03-01T11:00:00.000Z")]);
    expect(shown.map((hour) => [hour.at.slice(11, 13), hour.well])).toEqual([
      ["08", 1],
      ["09", 0],
      ["10", 0],
      ["11", 1],
    ]);
  });

  test("stay as they are over many days, and without any", () => {
    const far = [bucket("2026-03-01T08:00:00.000Z"), bucket("2026-03-06T08:00:00.000Z")];
    expect(hoursShown(far)).toBe(far);
    expect(hoursShown([])).toEqual([]);
  });
});

test("small p-values keep two digits", () => {
  expect([pValue(0.5), pValue(0.0384), pValue(0.00015345), pValue(1e-9)]).toEqual(["0.50", "0.038", "0.00015", "1e-9"]);
});

test("a node's address holds the run that judges it", () => {
  expect(nodeHref("a/b")).toBe("/nodes/a%2Fb");
  expect(nodeHref("n", "r 1")).toBe("/nodes/n?run=r+1");
});
