import { describe, expect, it } from "vitest";
import type { RunSettings } from "@/server/domain/run";
import { directoryOf, labelsFor } from "@/server/queries/run-directory";

function said(id: string, aliases: string[]): RunSettings {
  const empty = { name: null, planned: null, config: {}, notes: null, labels: {}, passAt: 1, endedAt: null };
  return { ...empty, id, aliases, updatedAt: 0 };
}

describe("aliases of runs", () => {
  it("count as their run, and aliases of aliases too", () => {
    const directory = directoryOf([said("night", ["worker-0", "worker-1"]), said("worker-1", ["worker-1b"])]);
    expect(directory.scopeOf("night").labels).toEqual(["night", "worker-0", "worker-1", "worker-1b"]);
    expect(directory.scopeOf("worker-1b").id).toBe("night");
    expect(directory.ownerOf("other")).toBe("other");
  });

  it("leave each run on its own when they form a ring", () => {
    const directory = directoryOf([said("a", ["b"]), said("b", ["a"])]);
    expect(directory.ownerOf("a")).toBe("a");
    expect(directory.ownerOf("b")).toBe("b");
    expect(directory.scopeOf("a").labels).toEqual(["a"]);
  });

  it("filter nothing when no run was asked for", () => {
    expect(labelsFor(directoryOf([]), [])).toBeUndefined();
    expect(labelsFor(directoryOf([said("a", ["b"])]), ["b", "a"])).toEqual(["a", "b"]);
  });
});
