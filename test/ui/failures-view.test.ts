import { describe, expect, test } from "vitest";
import { dimsOf, filterOf, fits } from "@/app/failures/dims";
import type { FailureFilter } from "@/app/failures/failure-parsers";
import { sentenceOfFailures } from "@/app/failures/failures-sentence";
import { normalise } from "@/app/failures/group-messages";
import { askedOf } from "@/app/failures/scope";
import { MOST_BARS, timeRows } from "@/app/failures/time-rows";
import type { FailureGroup } from "@/server/domain/answers";

const NONE: FailureFilter = {
  run: null,
  family: null,
  class: null,
  node: null,
  outcome: null,
  owner: null,
  source: null,
  config: null,
  from: null,
  to: null,
};

const group = (key: FailureGroup["key"], incidents: number, fatal = 0): FailureGroup => ({
  key,
  incidents,
  fatal,
  absorbed: incidents - fatal,
  teardown: 0,
  unknown: 0,
  rollouts: fatal,
  sandboxes: 0,
});

describe("the dimensions of the explorer", () => {
  test("are at most two known ones, and class when there are none", () => {
    expect([dimsOf(null), dimsOf("node,family,run"), dimsOf("bogus,node"), dimsOf("node,node")]).toEqual([
      ["class"],
      ["node", "family"],
      ["node"],
      ["node"],
    ]);
  });

  test("do not join hour and day", () => {
    expect(dimsOf("hour,day")).toEqual(["hour"]);
    expect([fits("hour", "day"), fits("node", "node"), fits("hour", "family")]).toEqual([false, false, true]);
  });

  test("lead from a group to its incidents, a span of time to its ends", () => {
    expect(filterOf({ hour: "2026-11-27T14:00:00.000Z", family: "oom" })).toEqual({
      from: "2026-11-27T14:00:00.000Z",
      to: "2026-11-27T15:00:00.000Z",
      family: "oom",
    });
    expect(filterOf({ node: null })).toBeNull();
  });
});

describe("what the explorer looks at", () => {
  test("is infrastructure, unless a family, a class or everything was asked for", () => {
    expect(askedOf(NONE).family).toBe("oom,disconnect,proxy,startup,scheduling,node,other");
    expect(askedOf({ ...NONE, family: "all" }).family).toBeNull();
    expect(askedOf({ ...NONE, class: "agent.timeout" }).family).toBeNull();
    expect(askedOf({ ...NONE, family: "none" }).family).toBe("none");
  });

  test("is said in one sentence", () => {
    expect(sentenceOfFailures([group({}, 3, 2)], NONE)).toBe(
      "3 infrastructure incidents: 2 ended a rollout, 1 was absorbed by a retry.",
    );
    expect(sentenceOfFailures([], { ...NONE, family: "oom", node: "n1" })).toBe("No incident of family oom on n1.");
  });
});

describe("incidents over time", () => {
  test("keep empty spans, so that the axis tells time", () => {
    const { rows } = timeRows(
      [group({ hour: "2026-11-27T14:00:00.000Z" }, 2), group({ hour: "2026-11-27T17:00:00.000Z" }, 1)],
      "hour",
    );
    expect(rows.map((row) => row.incidents)).toEqual([2, 0, 0, 1]);
  });

  test("keep families apart and call the unknown one other", () => {
    const at = "2026-11-27T00:00:00.000Z";
    const { rows } = timeRows([group({ day: at, family: "oom" }, 2), group({ day: at, family: null }, 3)], "day");
    expect(rows[0]?.byFamily).toMatchObject({ oom: 2, other: 3 });
  });

  test("show the newest that fit and say what is left out", () => {
    const old = group({ hour: "2020-01-01T00:00:00.000Z" }, 7);
    const { rows, left } = timeRows([old, group({ hour: "2026-11-27T14:00:00.000Z" }, 1)], "hour");
    expect([rows.length, left]).toEqual([MOST_BARS, 7]);
  });
});

describe("messages that no rule explains", () => {
  test("are alike when only numbers and ids differ", () => {
    const first = "job 17 failed on 10.1.2.3:44772 after 3.2s, trace 0x7f3a, id 06d5fa8b-1c2d-4e5f-8a9b-0c1d2e3f4a5b";
    const second = "job 9 failed on 10.9.9.9:8080 after 11.0s, trace 0x1, id 974b0697-3bd9-4c4c-a1f4-4c4aa1f56197";
    expect(normalise(first)).toBe(normalise(second));
    expect(normalise(first)).toBe("job # failed on # after #s, trace #, id #");
  });

  test("keep words that only look like hex", () => {
    expect(normalise("defaced facade")).toBe("defaced facade");
  });
});
