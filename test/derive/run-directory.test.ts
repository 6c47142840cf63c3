import { describe, expect, it } from "vitest";
import { directoryOf } from "@/server/derive/run-directory";
import type { RunSettings } from "@/server/domain/run";

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
});
