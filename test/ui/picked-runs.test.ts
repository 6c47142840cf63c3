import { describe, expect, test } from "vitest";
import { pickedPair, togglePick } from "@/app/runs/picked";
import type { RunSummary } from "@/server/domain/answers";

const run = (id: string, startedAt: string | null) => ({ id, startedAt, endedAt: null }) as RunSummary;
const runs = [run("new", "2026-03-02T00:00:00.000Z"), run("old", "2026-03-01T00:00:00.000Z"), run("untimed", null)];

describe("runs marked for comparing", () => {
  test("are two at the most: the oldest mark gives way", () => {
    expect(togglePick([], "a")).toEqual(["a"]);
    expect(togglePick(["a", "b"], "c")).toEqual(["b", "c"]);
    expect(togglePick(["a", "b"], "a")).toEqual(["b"]);
  });

  test("become a pair whose baseline is the one that began first", () => {
    expect(pickedPair(["new", "old"], runs)).toEqual({ baseline: "old", candidate: "new" });
    expect(pickedPair(["untimed", "new"], runs)).toEqual({ baseline: "new", candidate: "untimed" });
  });

  test("are no pair when one is not in the list", () => {
    expect(pickedPair(["new", "gone"], runs)).toBeNull();
    expect(pickedPair(["new"], runs)).toBeNull();
  });
});
