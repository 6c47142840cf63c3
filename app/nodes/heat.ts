/** The heatmap's cells: hours joined until they fit, each judged against what was to be expected. Pure. */
import type { NodeAnswer } from "@/server/domain/answers";

const HOUR_MS = 3_600_000;
/** Columns that fit a page. */
export const MOST_COLUMNS = 60;
/** Rows drawn, the table has all; and the height of one in px. */
export const HEAT_ROWS = 60;
export const HEAT_ROW_PX = 18;
const WIDTHS_H = [1, 2, 3, 4, 6, 8, 12, 24, 48];

export interface HeatCell {
  node: string;
  column: number;
  rollouts: number;
  lost: number;
  level: HeatLevel;
}

export interface HeatColumn {
  /** Epoch ms. */
  at: number;
  /** Nothing ran between the column before and this one. */
  gap: boolean;
}

export interface HeatMap {
  /** Only spans of time in which something ran. */
  columns: HeatColumn[];
  columnMs: number;
  cells: HeatCell[];
}

/** 0: none lost; 1: no more than expected; 2: more; 3: at least thrice as many and two or more. */
export type HeatLevel = 0 | 1 | 2 | 3;

/** `rate` is the share of rollouts lost over all nodes. */
export function heatLevel(lost: number, rollouts: number, rate: number): HeatLevel {
  if (lost === 0) return 0;
  const expected = rollouts * rate;
  if (lost >= 2 && lost >= 3 * expected) return 3;
  return lost > Math.max(1, expected) ? 2 : 1;
}

export function heatMap(nodes: readonly NodeAnswer[]): HeatMap {
  const all = nodes.flatMap((node) => node.hours);
  const starts = all.map((hour) => Date.parse(hour.at));
  const columnMs = columnWidth(starts);
  const columns = columnStarts(starts, columnMs);
  const sum = (pick: (hour: NodeAnswer["hours"][number]) => number) =>
    all.reduce((total, hour) => total + pick(hour), 0);
  const rate =
    sum((hour) => hour.infraFailed) /
    Math.max(
      1,
      sum((hour) => hour.rollouts),
    );
  const indexOf = new Map(columns.map((at, i) => [at, i]));
  return {
    columns: columns.map((at, i) => ({ at, gap: i > 0 && at - (columns[i - 1] ?? at) > columnMs })),
    columnMs,
    cells: nodes.flatMap((node) => cellsOf(node, { columnMs, rate, indexOf })),
  };
}

function columnStarts(starts: readonly number[], columnMs: number): number[] {
  return [...new Set(starts.map((at) => Math.floor(at / columnMs) * columnMs))].sort((a, b) => a - b);
}

function columnWidth(starts: readonly number[]): number {
  const fits = WIDTHS_H.find((hours) => columnStarts(starts, hours * HOUR_MS).length <= MOST_COLUMNS);
  return (fits ?? 48) * HOUR_MS;
}

interface Columns {
  columnMs: number;
  rate: number;
  indexOf: ReadonlyMap<number, number>;
}

function cellsOf(node: NodeAnswer, { columnMs, rate, indexOf }: Columns): HeatCell[] {
  const byColumn = new Map<number, { rollouts: number; lost: number }>();
  for (const hour of node.hours) {
    const column = indexOf.get(Math.floor(Date.parse(hour.at) / columnMs) * columnMs) ?? 0;
    const known = byColumn.get(column) ?? { rollouts: 0, lost: 0 };
    byColumn.set(column, { rollouts: known.rollouts + hour.rollouts, lost: known.lost + hour.infraFailed });
  }
  return [...byColumn].map(([column, { rollouts, lost }]) => ({
    node: node.node,
    column,
    rollouts,
    lost,
    level: heatLevel(lost, rollouts, rate),
  }));
}
