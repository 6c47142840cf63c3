import { describe, expect, test } from "vitest";
import type { NodeCell } from "@/server/stats/node-cells";
import { testNodes } from "@/server/stats/node-outliers";
import { smallestExcess } from "@/server/stats/node-power";
import { cells, LATER_RUN } from "./fleet-cells";

describe("attribution", () => {
  test("better for failures than for successes gives no verdict", () => {
    const fleet = testNodes(
      cells([
        ["bad", 9, 3],
        ["n", 50, 0],
        [null, 11, 0],
      ]),
      null,
    );
    expect(fleet.attribution).toMatchObject({ failed: { k: 3, n: 3 }, notFailed: { k: 56, n: 67 }, even: false });
    expect(fleet.nodes.every((node) => node.verdict === "too_little_data" && node.reason === "attribution")).toBe(true);
    expect(fleet.nodes[0]?.sentence).toContain(
      "No verdict: the node is known for 100.0 % of the failed rollouts and 83.6 %",
    );
  });

  test("that differs by ten points is still even", () => {
    const fleet = testNodes(
      cells([
        ["bad", 18, 10],
        ["n", 82, 0],
        [null, 10, 0],
      ]),
      null,
    );
    expect(fleet.attribution.even).toBe(true);
  });

  test("of one run says nothing about nodes of another", () => {
    const even = cells([
      ["bad", 20, 8],
      ...Array.from({ length: 9 }, (_, i): [string, number, number] => [`n${i}`, 20, 0]),
    ]);
    const uneven = cells(
      [
        ["u", 10, 10],
        [null, 90, 0],
      ],
      "uneven",
    );
    const fleet = testNodes([...even, ...uneven], null);
    expect(fleet.nodes.find((node) => node.node === "bad")?.verdict).toBe("suspect");
    expect(fleet.nodes.find((node) => node.node === "u")?.reason).toBe("attribution");
  });

  test("leaves out what failed before it was scheduled", () => {
    const unscheduled: NodeCell = { stratum: "run", node: null, rollouts: 5, failed: { scheduling: 5 } };
    const fleet = testNodes([...LATER_RUN, unscheduled], null);
    expect(fleet.leftOut).toEqual({ beforeScheduling: 5, unattributed: 0 });
    expect(fleet.suspects).toEqual(["bad"]);
  });
});

describe("a fleet", () => {
  test("in which more than a third of the nodes stand out is at fault itself", () => {
    const nodes = Array.from({ length: 10 }, (_, i): [string, number, number] => [`n${i}`, 40, i < 4 ? 20 : 0]);
    const fleet = testNodes(cells(nodes), null);
    expect(fleet).toMatchObject({ fleetWide: true, suspects: [] });
    expect(fleet.sentence).toBe("Fleet-wide, not a node: 4 of 10 nodes fail more than chance explains.");
    expect(fleet.nodes[0]).toMatchObject({ verdict: "watch", reason: "fleet_wide" });
  });

  test("of two nodes can still have one bad node", () => {
    expect(
      testNodes(
        cells([
          ["a", 50, 15],
          ["b", 50, 1],
        ]),
        null,
      ).suspects,
    ).toEqual(["a"]);
  });

  test("without a known node says so", () => {
    expect(testNodes(cells([[null, 10, 2]]), null)).toMatchObject({
      nodes: [],
      sentence: "No rollout's node is known.",
    });
    expect(testNodes([], null).nodes).toEqual([]);
  });

  test("with impossible counts is refused", () => {
    expect(() => testNodes(cells([["a", 2, 3]]), null)).toThrow(/no count/);
  });

  test("shows a family that one node is bad for, without making it a suspect by that alone", () => {
    const nodes = Array.from(
      { length: 12 },
      (_, i): NodeCell => ({
        stratum: "run",
        node: `n${i}`,
        rollouts: 50,
        failed: i === 0 ? { startup: 4, disconnect: 4 } : { disconnect: 7 },
      }),
    );
    const bad = testNodes(nodes, null).nodes.find((node) => node.node === "n0");
    expect(bad?.verdict).toBe("ok");
    expect(bad?.families.find((family) => family.family === "startup")).toMatchObject({ k: 4, standsOut: true });
    expect(bad?.families.find((family) => family.family === "disconnect")?.standsOut).toBe(false);
  });
});

describe("what the rollouts could have shown", () => {
  test("among 24 nodes of 400 rollouts at 5 % is about eight times the rate", () => {
    const fleet = testNodes(
      cells(
        Array.from({ length: 24 }, (_, i): [string, number, number] => [`n${i}`, i < 16 ? 17 : 16, i < 20 ? 1 : 0]),
      ),
      null,
    );
    const node = fleet.nodes.find((one) => one.node === "n1");
    const smallest = node && smallestExcess(node, 24);
    expect(smallest?.times).toBeGreaterThan(6);
    expect(smallest?.times).toBeLessThan(10);
  });

  test("by a single rollout is nothing", () => {
    const fleet = testNodes(
      cells([
        ["a", 1, 0],
        ["b", 99, 3],
      ]),
      null,
    );
    const node = fleet.nodes.find((one) => one.node === "a");
    expect(node && smallestExcess(node, 2)).toBeNull();
  });
});
