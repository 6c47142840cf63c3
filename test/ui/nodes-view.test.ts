import { describe, expect, test } from "vitest";
import { heatLevel, heatMap, MOST_COLUMNS } from "@/app/nodes/heat";
import { GAP, placeColumns } from "@/app/nodes/heat-place";
import { incidentsHref } from "@/app/nodes/incidents-href";
import { dayRows } from "@/app/overview-day-rows";
import type { NodeAnswer } from "@/server/domain/answers";

const families = { disconnect: 0, proxy: 0, oom: 0, startup: 0, scheduling: 0, node: 0, other: 0 };
const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 22);

const node = (name: string, hours: [hour: number, rollouts: number, lost: number][]): NodeAnswer => ({
  node: name,
  rollouts: 0,
  infraFailed: null,
  expected: null,
  byFamily: families,
  incidents: 0,
  absorbed: 0,
  runs: 1,
  lastAt: null,
  hours: hours.map(([hour, rollouts, infraFailed]) => ({
    at: new Date(START + hour * HOUR).toISOString(),
    rollouts,
    infraFailed,
  })),
});

describe("the heatmap of nodes", () => {
  test("judges a cell against what was to be expected", () => {
    expect([heatLevel(0, 10, 0.5), heatLevel(1, 2, 0.05), heatLevel(2, 20, 0.08), heatLevel(3, 9, 0.05)]).toEqual([
      0, 1, 2, 3,
    ]);
  });

  test("never calls a single loss more than one", () => {
    expect(heatLevel(1, 1, 0.001)).toBe(1);
  });

  test("leaves out spans in which nothing ran, and marks the gap", () => {
    const map = heatMap([
      node("a", [[0, 4, 1]]),
      node("b", [
        [1, 4, 0],
        [100, 2, 0],
      ]),
    ]);
    expect(map.columns.map((column) => [(column.at - START) / HOUR, column.gap])).toEqual([
      [0, false],
      [1, false],
      [100, true],
    ]);
    const { xs, cell } = placeColumns(map, 10);
    expect(xs).toEqual([10, 10 + cell, 10 + 2 * cell + GAP]);
  });

  test("joins hours until they fit, without losing a rollout", () => {
    const hours = Array.from({ length: 168 }, (_, i): [number, number, number] => [i, 3, i % 7 === 0 ? 1 : 0]);
    const map = heatMap([node("a", hours)]);
    expect(map.columns.length).toBeLessThanOrEqual(MOST_COLUMNS);
    expect(map.cells.reduce((sum, cell) => sum + cell.rollouts, 0)).toBe(504);
    expect(map.cells.reduce((sum, cell) => sum + cell.lost, 0)).toBe(24);
  });

  test("is empty where no node has a time", () => {
    expect(heatMap([node("a", [])])).toMatchObject({ columns: [], cells: [] });
  });
});

describe("the rows behind a node's number", () => {
  test("are rollouts for one run and incidents over all runs", () => {
    expect(incidentsHref({ node: "n 1", run: "r/1", from: START, to: START + HOUR })).toBe(
      "/runs/r%2F1?node=n+1&verdict=infra_failed&from=2026-11-22T00%3A00%3A00.000Z&to=2026-11-22T01%3A00%3A00.000Z#rollouts",
    );
    expect(incidentsHref({ node: "n1", run: null })).toBe("/failures?node=n1&outcome=fatal#incidents");
    expect(incidentsHref({ node: "n1", run: "r", outcome: "absorbed" })).toBe(
      "/failures?node=n1&outcome=absorbed&run=r#incidents",
    );
  });
});

describe("days of the overview", () => {
  const day = (n: number) => ({
    at: new Date(START + n * 24 * HOUR).toISOString(),
    rollouts: 1,
    infraFailed: null,
    byFamily: families,
  });

  test("include those without rollouts", () => {
    expect(dayRows([day(0), day(3)]).map((one) => one.rollouts)).toEqual([1, 0, 0, 1]);
  });

  test("are left as they are over a long span", () => {
    expect(dayRows([day(0), day(300)])).toHaveLength(2);
    expect(dayRows([])).toEqual([]);
  });
});
