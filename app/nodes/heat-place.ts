/** Where the heatmap's columns lie. Pure. */
import type { HeatMap } from "./heat";

/** Width in px of a silence between two columns. */
export const GAP = 14;
const LABEL = 42;
const MOST = 900;

/** Left edges in px from `left` on, the width of a cell and of the whole. */
export function placeColumns(map: HeatMap, left: number): { xs: number[]; cell: number; width: number } {
  const gaps = map.columns.filter((column) => column.gap).length;
  const cell = Math.max(14, Math.min(36, Math.floor((MOST - gaps * GAP) / Math.max(1, map.columns.length))));
  let x = left;
  const xs = map.columns.map((column) => {
    if (column.gap) x += GAP;
    const mine = x;
    x += cell;
    return mine;
  });
  return { xs, cell, width: Math.max(x, (xs.at(-1) ?? 0) + LABEL) };
}

/** A label needs room up to the next one; a silence begins a new count. */
export function isLabelled(map: HeatMap, i: number, cell: number): boolean {
  const every = Math.max(1, Math.ceil(LABEL / cell));
  let since = 0;
  for (let at = i; at > 0 && !map.columns[at]?.gap; at -= 1) since += 1;
  const next = map.columns.findIndex((column, at) => at > i && column.gap);
  const room = (next < 0 ? map.columns.length : next) - i;
  return since === 0 || (since % every === 0 && room * cell >= LABEL - GAP);
}
