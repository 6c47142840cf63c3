import { describe, expect, it } from "vitest";
import { type SentenceInput, sentenceOfRun } from "@/server/queries/sentence-run";
import { noFamilies } from "@/server/queries/tally";
import { wilson } from "@/server/stats/proportion";

const GIB = 2 ** 30;

function input(k: number, n: number, more: Partial<SentenceInput> = {}): SentenceInput {
  return {
    rollouts: n,
    planned: null,
    infraFailed: wilson(k, n),
    byFamily: noFamilies(),
    oomLimit: null,
    missing: null,
    notFinished: null,
    notScored: 0,
    unknown: 0,
    passAt1: { asReported: null, infraExcluded: null, bounds: null },
    ...more,
  };
}

describe("the sentence of a run", () => {
  it("says how many were lost, how sure that is, and to what", () => {
    const byFamily = { ...noFamilies(), oom: 27, disconnect: 7, proxy: 5, startup: 2 };
    const told = sentenceOfRun(input(41, 316, { byFamily, oomLimit: 2 * GIB }));
    expect(told.sentence).toBe(
      "41 of 316 rollouts were lost to infrastructure: 13.0 % (9.7–17.1 %). 27 of them ran out of memory at 2 GiB.",
    );
    expect(told.lead).toBe("7 lost their connection, 5 could not be reached through the proxy.");
  });

  it("leaves the limit out when the rollouts out of memory had different ones", () => {
    const told = sentenceOfRun(input(3, 70, { byFamily: { ...noFamilies(), oom: 2, node: 1 } }));
    expect(told.sentence).toMatch(/2 of them ran out of memory\.$/);
    expect(told.lead).toBe("1 went down with its node.");
  });

  it("says so when nothing was lost", () => {
    expect(sentenceOfRun(input(0, 50)).sentence).toBe("None of 50 rollouts was lost to infrastructure (0.0–7.1 %).");
  });

  it("knows one from many", () => {
    const byFamily = { ...noFamilies(), proxy: 1 };
    expect(sentenceOfRun(input(1, 316, { byFamily })).sentence).toBe(
      "1 of 316 rollouts was lost to infrastructure: 0.3 % (0.1–1.8 %). It could not be reached through the proxy.",
    );
    expect(sentenceOfRun(input(1, 1, { byFamily })).sentence).toMatch(/^The one rollout was lost to infrastructure/);
    expect(sentenceOfRun(input(0, 1)).sentence).toMatch(/^The one rollout was not lost/);
    const both = { ...noFamilies(), startup: 2 };
    expect(sentenceOfRun(input(2, 9, { byFamily: both })).sentence).toMatch(/Both of them never started\.$/);
  });

  it("says what is not there yet instead of a rate of nothing", () => {
    expect(sentenceOfRun(input(0, 0)).sentence).toBe("No rollouts yet.");
    expect(sentenceOfRun(input(0, 0, { planned: 500 })).sentence).toBe(
      "No rollouts yet: none of the 500 planned has arrived.",
    );
    expect(sentenceOfRun(input(0, 0, { rollouts: 1 })).sentence).toBe("1 rollout has arrived, none has a verdict yet.");
  });

  it("names the bounds of pass@1 and what its numbers leave out", () => {
    const mean = (value: number) => ({ n: 125, value, low: null, high: null });
    const passAt1 = { asReported: mean(0.58), infraExcluded: mean(0.649), bounds: [0.58, 0.71] as [number, number] };
    const told = sentenceOfRun(
      input(1, 10, { byFamily: { ...noFamilies(), oom: 1 }, passAt1, missing: 4, notScored: 2 }),
    );
    expect(told.lead).toBe(
      "Without these failures pass@1 would lie between 58.0 % and 71.0 %; among rollouts that infrastructure left alone " +
        "it is 64.9 %. Not in these numbers: 4 planned that left no record, the score of 2 that ended without one.",
    );
  });
});
