import { describe, expect, test } from "vitest";
import { full, isZone, precise, UTC } from "@/app/_ui/clock";
import { familyParts, familyText, sumFamilies } from "@/app/_ui/families";
import { countEnd, fractionEnd, place } from "@/app/_ui/scale";
import { holdUnits, sentenceParts } from "@/app/_ui/sentence-parts";
import { shownVerdict } from "@/app/_ui/verdicts";

const none = { disconnect: 0, proxy: 0, oom: 0, startup: 0, scheduling: 0, node: 0, other: 0 };

describe("families", () => {
  test("those without failures are left out and the others keep their place", () => {
    expect(familyParts({ ...none, node: 1, oom: 3 })).toEqual([
      { family: "oom", n: 3, share: 0.75 },
      { family: "node", n: 1, share: 0.25 },
    ]);
  });

  test("they can be read as text", () => {
    expect(familyText({ ...none, oom: 27, disconnect: 7 })).toBe("27 out of memory, 7 disconnect");
    expect(familyText(none)).toBe("none");
  });

  test("rows add up family by family", () => {
    expect(
      sumFamilies([
        { ...none, oom: 2 },
        { ...none, oom: 1, proxy: 4 },
      ]),
    ).toEqual({ ...none, oom: 3, proxy: 4 });
  });
});

describe("axes", () => {
  test("end at the least round share that holds every value", () => {
    expect([
      fractionEnd([]),
      fractionEnd([0.02]),
      fractionEnd([0.1]),
      fractionEnd([0.1, 0.51]),
      fractionEnd([1]),
    ]).toEqual([0.05, 0.05, 0.1, 0.75, 1]);
  });

  test("place values inside their pads and never beyond", () => {
    expect([place(0, 0.5, 200), place(0.5, 0.5, 200), place(9, 0.5, 200), place(1, 0, 200)]).toEqual([6, 194, 194, 6]);
  });

  test("end at a round count", () => {
    expect([countEnd(0), countEnd(3), countEnd(5), countEnd(11), countEnd(73), countEnd(1000)]).toEqual([
      1, 3, 5, 20, 100, 1000,
    ]);
  });
});

describe("the sentence of a page", () => {
  test("sets its loss apart", () => {
    expect(sentenceParts("41 of 316 rollouts were lost to infrastructure: 13.0 %.")).toEqual({
      before: "",
      loss: "41 of 316 rollouts",
      rest: " were lost to infrastructure: 13.0 %.",
    });
    expect(sentenceParts("Infrastructure took 63 of 674 rollouts of 3 runs.").before).toBe("Infrastructure took ");
  });

  test("stays whole when nothing was lost", () => {
    expect(sentenceParts("None of 20 rollouts was lost to infrastructure.").loss).toBe("");
    expect(sentenceParts("Infrastructure took none of 20 rollouts of 1 run.").loss).toBe("");
    expect(sentenceParts("No rollouts yet.")).toEqual({ before: "No rollouts yet.", loss: "", rest: "" });
  });

  test("parts the thousands of what is counted, and of nothing else", () => {
    expect(holdUnits("396 of 4000 rollouts were lost")).toBe("396 of 4\u2009000 rollouts were lost");
    expect(holdUnits("(41200 of 107697)")).toBe("(41\u2009200 of 107\u2009697)");
    expect(sentenceParts(holdUnits("396 of 4000 rollouts were lost")).loss).toBe("396 of 4\u2009000 rollouts");
    const names = "of 2026-11-27, ip-10-4-1517 on 127.0.0.1:40239 went, seed 20260101. 0.12345 of it";
    expect(holdUnits(names)).toBe(names);
  });
});

describe("rows of a run", () => {
  test("show the lost rollouts first, and all where none was lost", () => {
    expect([
      shownVerdict(null, 41),
      shownVerdict(null, 0),
      shownVerdict("all", 41),
      shownVerdict("passed", 41),
    ]).toEqual(["infra_failed", "all", "all", "passed"]);
  });

  test("do not break on a verdict that does not exist", () => {
    expect(shownVerdict("bogus", 3)).toBe("infra_failed");
  });
});

describe("times", () => {
  const at = Date.UTC(2026, 10, 27, 14, 22, 7, 31);

  test("are shown in the reader's zone", () => {
    expect(full(at, UTC)).toBe("2026-11-27 14:22:07");
    expect(full(at, { name: "Asia/Kolkata" })).toBe("2026-11-27 19:52:07");
  });

  test("of evidence keep their milliseconds", () => {
    expect(precise(at, UTC)).toBe("14:22:07.031");
  });

  test("take no zone that does not exist", () => {
    expect([isZone("Europe/Berlin"), isZone("Mars/Olympus"), isZone("")]).toEqual([true, false, false]);
  });
});
