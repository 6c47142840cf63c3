import { describe, expect, test } from "vitest";
import { configDiff, type RunConfig } from "@/server/compare/config-diff";
import type { FlatConfig } from "@/server/domain/rollout";

function config(common: FlatConfig, effective: FlatConfig = {}, varying: RunConfig["varying"] = {}): RunConfig {
  return { common, effective, varying };
}

describe("the settings of two runs", () => {
  test("that are the same have no difference", () => {
    const same = config({ "resources.memory": "2Gi", concurrency: 64 });
    expect(configDiff(same, same)).toMatchObject({ changes: [], differing: [], confounded: false });
  });

  test("are the same in other units", () => {
    const diff = configDiff(config({ "resources.memory": "2Gi" }), config({ "resources.memory_mib": 2048 }));
    expect(diff.differing).toEqual([]);
  });

  test("that differ in more than one key are confounded", () => {
    const diff = configDiff(config({ a: 1, b: 2, c: 3 }), config({ a: 2, b: 2, c: 4 }));
    expect(diff).toMatchObject({ differing: ["a", "c"], confounded: true });
    expect(diff.changes[0]).toMatchObject({ key: "a", baseline: { requested: 1 }, candidate: { requested: 2 } });
  });

  test("do not count ids, names and places", () => {
    const diff = configDiff(
      config({ "agent.id": "x", "output.path": "/a" }),
      config({ "agent.id": "y", "output.path": "/b" }),
    );
    expect(diff.differing).toEqual([]);
    expect(diff.changes.map((change) => [change.key, change.differs, change.matters])).toEqual([
      ["agent.id", true, false],
      ["output.path", true, false],
    ]);
  });

  test("mark a default that nobody asked for", () => {
    const diff = configDiff(
      config({ "resources.memory": "2Gi", concurrency: 1 }),
      config({ "resources.memory": "8Gi", "resource_requests.memory": "2Gi", concurrency: 1 }),
    );
    expect(diff.differing).toEqual(["resources.memory"]);
    const requests = diff.changes.find((change) => change.key === "resource_requests.memory");
    expect(requests).toMatchObject({
      differs: false,
      baseline: { silent: true, requested: null, defaultValue: "2Gi" },
    });
  });

  test("take the client's own keep-alive when none was set", () => {
    const diff = configDiff(config({ x: 1 }), config({ x: 1, "connection.keepalive_expiry_s": 3 }));
    expect(diff.changes).toMatchObject([{ differs: true, baseline: { silent: true, defaultValue: 30 } }]);
  });

  test("believe Kubernetes over the request, and say where they part", () => {
    const diff = configDiff(
      config({ "resources.memory_mib": 2048 }, { memoryLimit: 2 ** 31 }),
      config({ "resources.memory_mib": 8192 }, { memoryLimit: 2 ** 31 }),
    );
    expect(diff.differing).toEqual([]);
    expect(diff.changes[0]).toMatchObject({
      baseline: { overridden: false },
      candidate: { overridden: true, effective: 2 ** 31 },
    });
  });

  test("show a fact that nobody asked for, when both runs have it", () => {
    const diff = configDiff(config({ x: 1 }, { ttlS: 600 }), config({ x: 1 }, { ttlS: 1200 }));
    expect(diff.differing).toEqual(["ttlS"]);
    expect(configDiff(config({ x: 1 }, { ttlS: 600 }), config({ x: 1 })).differing).toEqual([]);
  });

  test("that vary within both runs alike are no difference", () => {
    const values = [
      { value: "2Gi", n: 3 },
      { value: "4Gi", n: 5 },
    ];
    const mixed = config({}, {}, { "resources.memory": values });
    expect(configDiff(mixed, config({}, {}, { "resources.memory": [...values].reverse() })).differing).toEqual([]);
    expect(configDiff(mixed, config({ "resources.memory": "2Gi" })).differing).toEqual(["resources.memory"]);
  });

  test("of which one run's are unknown have no known difference", () => {
    const diff = configDiff(config({}), config({ a: 1, b: 2 }));
    expect(diff).toMatchObject({ known: { baseline: false, candidate: true }, differing: [], confounded: false });
  });

  test("of two sandboxes in one run are not taken for one", () => {
    const diff = configDiff(
      config({ "agent.resources.memory": "2Gi", "verifier.resources.memory": "4Gi" }),
      config({ "agent.resources.memory": "2Gi", "verifier.resources.memory": "8Gi" }),
    );
    expect(diff.differing).toEqual(["verifier.resources.memory"]);
  });
});
