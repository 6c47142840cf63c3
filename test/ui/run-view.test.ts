import { describe, expect, test } from "vitest";
import { distinguishing, shortPath } from "@/app/_ui/runs/distinguishing";
import { configLines, configRows } from "@/app/runs/[run]/config-rows";
import { NO_FILTER, rowsAsked } from "@/app/runs/[run]/row-parsers";
import { matching } from "@/app/runs/matching";
import { sentenceOfRuns } from "@/app/runs/runs-sentence";
import { runLike } from "./run-like";

const config = (common: Record<string, string | number | boolean | null>, effective = {}) => ({
  common,
  varying: {},
  keys: [],
  effective,
});

describe("the config of a run", () => {
  test("puts what Kubernetes says beside what was asked for", () => {
    const rows = configRows(config({ "resources.memory_mib": 2048 }, { memoryLimit: 2 * 2 ** 30 }));
    expect(rows).toEqual([
      { path: "resources.memory_mib", requested: "2048", varies: false, effective: "2 GiB", differs: false },
    ]);
  });

  test("marks a value that was set differently", () => {
    const [row] = configRows(config({ "resources.memory_mib": 2048 }, { memoryLimit: 2 ** 30 }));
    expect(row).toMatchObject({ effective: "1 GiB", differs: true });
  });

  test("does not compare what it cannot", () => {
    const [row] = configRows(config({ "resources.limits.memory": "2Gi" }, { memoryLimit: 2 ** 31 }));
    expect(row).toMatchObject({ requested: "2Gi", effective: "2 GiB", differs: false });
  });

  test("shows what only Kubernetes says on a line of its own", () => {
    expect(configRows(config({}, { cpuRequest: 2 }))).toEqual([
      { path: "CPU request", requested: "", varies: false, effective: "2", differs: false },
    ]);
  });

  test("lists the values of what varies, with their rollouts, and leaves it out of the copied lines", () => {
    const varied = {
      ...config({ concurrency: 64 }),
      varying: {
        image: [
          { value: "a", n: 3 },
          { value: null, n: 1 },
        ],
      },
    };
    const rows = configRows(varied);
    expect(rows[1]).toMatchObject({ path: "image", requested: "a (3 rollouts), not set (1 rollout)", varies: true });
    expect(configLines(rows)).toBe("concurrency: 64");
  });
});

describe("a list of runs", () => {
  const a = runLike({ id: "a", config: config({ "resources.memory_mib": 2048, concurrency: 64 }) });
  const b = runLike({ id: "b", config: config({ "resources.memory_mib": 8192, concurrency: 64 }) });

  test("shows only the settings that tell its runs apart", () => {
    expect([...distinguishing([a, b])]).toEqual([
      ["a", [{ path: "resources.memory_mib", value: 2048 }]],
      ["b", [{ path: "resources.memory_mib", value: 8192 }]],
    ]);
    expect(distinguishing([a]).get("a")).toEqual([]);
  });

  test("tells a run apart by a setting that the others do not have", () => {
    const c = runLike({ id: "c", config: config({}) });
    expect(distinguishing([a, c]).get("a")).toHaveLength(2);
    expect(distinguishing([a, c]).get("c")).toEqual([]);
  });

  test("shortens a path to its last word", () => {
    expect([shortPath("resources.memory_mib"), shortPath("concurrency")]).toEqual(["memory_mib", "concurrency"]);
  });

  test("finds runs by all words, in names, labels and settings", () => {
    const run = runLike({ id: "r-17", name: "Nightly", labels: { team: "eval" }, config: config({ concurrency: 64 }) });
    expect([
      matching(run, null),
      matching(run, "  "),
      matching(run, "night EVAL"),
      matching(run, "concurrency 64"),
    ]).toEqual([true, true, true, true]);
    expect(matching(run, "night 128")).toBe(false);
  });

  test("says how many can be trusted", () => {
    const rate = { k: 1, n: 10, value: 0.1, low: 0.01, high: 0.4 };
    const good = runLike({ id: "g", infraFailed: rate });
    const bad = runLike({ id: "b", infraFailed: rate, valid: { ok: false, reason: "x" } });
    const open = runLike({ id: "o", valid: { ok: false, reason: "nothing yet" } });
    expect(sentenceOfRuns([open])).toBe("1 run, and no rollout of them has finished yet.");
    expect(sentenceOfRuns([good, open])).toContain("One run is measured");
    expect(sentenceOfRuns([good, bad, bad])).toBe("2 of 3 measured runs are no valid measurement.");
  });
});

describe("the rows of a run", () => {
  test("ask for the lost ones first and for everything when told so", () => {
    expect(rowsAsked(NO_FILTER, 3).verdict).toBe("infra_failed");
    expect(rowsAsked({ ...NO_FILTER, verdict: "all", node: "n1" }, 3)).toMatchObject({ verdict: null, node: "n1" });
  });
});
