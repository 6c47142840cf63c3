import { describe, expect, it } from "vitest";
import { bytesText } from "@/server/domain/quantity";
import { memoryLimit } from "@/server/queries/memory-limit";

describe("the memory limit of a config", () => {
  it("reads Kubernetes quantities, bytes and mebibytes", () => {
    expect(memoryLimit({ "resources.memory": "2Gi" })).toBe(2 ** 31);
    expect(memoryLimit({ memoryLimit: 536_870_912 })).toBe(2 ** 29);
    expect(memoryLimit({ apptainer_memory_limit_mb: 1024 })).toBe(2 ** 30);
    expect(memoryLimit({ "resource_limits.memory": "1500M" })).toBe(1.5e9);
  });

  it("takes what Kubernetes says before what was asked for", () => {
    expect(memoryLimit({ "resources.memory": "2Gi", memoryLimit: 2 ** 33 })).toBe(2 ** 33);
  });

  it("is null for a request alone, for nonsense and for nothing", () => {
    expect(memoryLimit({ "requests.memory": "2Gi" })).toBeNull();
    expect(memoryLimit({ "resources.memory": "plenty" })).toBeNull();
    expect(memoryLimit({ "resources.memory": 0 })).toBeNull();
    expect(memoryLimit({})).toBeNull();
  });

  it("is written as people say it", () => {
    expect([2 ** 31, 1.5 * 2 ** 30, 2 ** 29].map(bytesText)).toEqual(["2 GiB", "1.5 GiB", "512 MiB"]);
  });
});
