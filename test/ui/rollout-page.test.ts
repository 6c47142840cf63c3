import { describe, expect, test } from "vitest";
import {
  certificateRows,
  clockText,
  layersOf,
  placeDots,
  reasonParts,
  shortText,
  sinceText,
  taskHref,
} from "@/app/rollouts/[rollout]/certificate";
import { nodeSource, sandboxFacts } from "@/app/rollouts/[rollout]/sandbox-words";
import type { TimelineLine } from "@/server/domain/rollout-detail";

const START = Date.parse("2026-03-01T05:56:25.000Z");

function line(atMs: number | null, layer: string, more: Partial<TimelineLine> = {}): TimelineLine {
  const at = atMs === null ? null : new Date(START + atMs).toISOString();
  return { at, layer, kind: "line", source: "s", node: null, text: "t", class: null, rule: null, gapMs: null, ...more };
}

const timeline = [
  line(0, "kubernetes"),
  line(3000, "server", { gapMs: 3000 }),
  line(531_000, "kubernetes", { gapMs: 528_000, class: "pod.oom_killed" }),
  line(533_233, "record", { gapMs: 2233, class: "pod.oom_killed" }),
  line(null, "harness"),
];

describe("the timeline of a rollout", () => {
  test("counts from its first line and says only long silences", () => {
    const rows = certificateRows(timeline, null);
    expect(rows.map((row) => row.sinceMs)).toEqual([0, 3000, 531_000, 533_233, null]);
    expect(rows.map((row) => row.silenceMs)).toEqual([null, null, 528_000, null, null]);
  });

  test("of one layer tells no silence, since others may have spoken", () => {
    const rows = certificateRows(timeline, "kubernetes");
    expect(rows.map((row) => [row.sinceMs, row.silenceMs])).toEqual([
      [0, null],
      [531_000, null],
    ]);
    expect(certificateRows(timeline, "gateway")).toEqual([]);
  });

  test("names its layers in order of their first word", () => {
    expect(layersOf(timeline)).toEqual([
      { layer: "kubernetes", n: 2 },
      { layer: "server", n: 1 },
      { layer: "record", n: 1 },
      { layer: "harness", n: 1 },
    ]);
  });

  test("is drawn in order from one end to the other, lines without a time left out", () => {
    const { dots, silences } = placeDots(certificateRows(timeline, null));
    expect(dots.map((dot) => dot.layer)).toEqual(["kubernetes", "server", "kubernetes", "record"]);
    expect(dots[0]?.x).toBe(0);
    expect(dots.at(-1)?.x).toBeCloseTo(1);
    expect(dots.every((dot, i) => dot.x >= (dots[i - 1]?.x ?? 0))).toBe(true);
    expect(dots.map((dot) => dot.bad)).toEqual([false, false, true, true]);
    expect(silences).toEqual([{ key: "2", x: expect.any(Number), text: "8 min 48 s" }]);
  });

  test("can be drawn when all happened at once, or nothing has a time", () => {
    expect(placeDots(certificateRows([line(0, "a"), line(0, "b")], null)).dots.map((dot) => dot.x)).toEqual([0, 0]);
    expect(placeDots(certificateRows([line(null, "a")], null))).toEqual({ dots: [], silences: [] });
  });
});

describe("words", () => {
  test("for the time since the first line", () => {
    expect([sinceText(0), sinceText(12_440), sinceText(531_000), sinceText(-1500)]).toEqual([
      "+0.0 s",
      "+12.4 s",
      "+8 min 51 s",
      "−1.5 s",
    ]);
  });

  test("for a reason are cut into what and how", () => {
    expect(reasonParts("Killed for memory (certain): exit code 137: OOM")).toEqual({
      head: "Killed for memory (certain)",
      rest: "exit code 137: OOM",
    });
    expect(reasonParts("Scored 1.")).toEqual({ head: "Scored 1", rest: "" });
    expect(reasonParts("An honest zero (certain): ")).toEqual({ head: "An honest zero (certain)", rest: "" });
  });

  test("of a long or many-lined text are cut, and it is known that there are more", () => {
    expect(shortText("one\ntwo")).toEqual({ short: "one", more: true });
    expect(shortText("abcdef", 4)).toEqual({ short: "abc…", more: true });
    expect(shortText("abc")).toEqual({ short: "abc", more: false });
  });

  test("for a clock say which way it is off, and from how much", () => {
    const reference = { layer: "kubernetes", source: "events" };
    const clock = {
      layer: "harness",
      source: "h",
      reference,
      offsetMs: -42_000,
      spreadMs: 1000,
      pairs: 3,
      resolutionMs: 1000,
      apart: true,
    };
    expect(clockText(clock)).toBe(
      "h (harness) is 42 s behind events (kubernetes), from 3 events that both tell, ± 0.5 s.",
    );
    expect(clockText({ ...clock, offsetMs: 2500, spreadMs: 0 })).toMatch(/is 2 s ahead of events/);
  });
});

test("all rollouts of a task are found in their run; without a run there is no such page", () => {
  expect(taskHref({ run: "r", task: "a b" })).toBe("/runs/r?task=a+b&verdict=all#rollouts");
  expect(taskHref({ run: null, task: "a" })).toBeNull();
});

describe("facts of a sandbox", () => {
  test("come in the order in which they are asked for, unknown names last", () => {
    const words = sandboxFacts({
      zeta: 1,
      memoryLimit: 2 ** 31,
      podName: "ns/p",
      createdAt: START,
      endedAt: START + 540_000,
    });
    expect(words.known.map((one) => one.title)).toEqual(["Pod", "Memory limit", "zeta"]);
    expect(words.times.map((one) => one.title)).toEqual(["Created", "Ended"]);
    expect(words.ageMs).toBe(540_000);
  });

  test("give no age that cannot be", () => {
    expect(sandboxFacts({ createdAt: START }).ageMs).toBeNull();
    expect(sandboxFacts({ createdAt: START, endedAt: START - 1 }).ageMs).toBeNull();
    expect(sandboxFacts({ createdAt: "soon", endedAt: Number.NaN }).times).toEqual([]);
  });
});

test("how the node became known is said step by step, and nothing while it is not known", () => {
  const sandbox = { id: "s", pods: ["p"], facts: { node: "n-1" } };
  const said = { by: "kubernetes", pod: "name" } as const;
  expect(nodeSource({ ...sandbox, nodeSaid: said, tie: "text" })).toBe(
    "from the pod object; the pod by its name; the rollout by its id in a text",
  );
  expect(nodeSource({ ...sandbox, nodeSaid: { by: "envelope", pod: null }, tie: null })).toBe(
    "from the log collector; the rollout by its instance and time",
  );
  expect(nodeSource({ ...sandbox, nodeSaid: null, tie: "label" })).toBeNull();
});
