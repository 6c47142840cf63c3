"use client";

import Link from "next/link";
import { useMemo } from "react";
import { useReader } from "@/app/_client/reader";
import { ChartFrame } from "@/app/_ui/chart/chart-frame";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { full, minute, shortDay, type Zone } from "@/app/_ui/clock";
import { duration, plural } from "@/app/_ui/format";
import { nodeNames } from "@/app/_ui/node-names";
import type { JudgedNode } from "@/server/domain/node-judged";
import { HEAT_ROW_PX, HEAT_ROWS, type HeatCell, type HeatMap, heatMap } from "./heat";
import { GAP, isLabelled, placeColumns } from "./heat-place";
import { HeatTable } from "./heat-table";
import { incidentsHref } from "./incidents-href";

const NAME = 132;
const TOP = 18;
const DAY_MS = 86_400_000;

/** Where and when rollouts were lost: one row a node, one column a span of time. */
export function Heatmap({ nodes, run }: { nodes: readonly JudgedNode[]; run: string | null }) {
  const { zone } = useReader();
  const shown = useMemo(() => nodes.filter((node) => node.hours.length > 0).slice(0, HEAT_ROWS), [nodes]);
  const map = useMemo(() => heatMap(shown), [shown]);
  if (map.columns.length === 0) return null;
  const lost = map.cells.reduce((sum, cell) => sum + cell.lost, 0);
  const hot = map.cells.filter((cell) => cell.level === 3).length;
  const step = duration(map.columnMs);
  const summary = `${plural(lost, "rollout")} lost on ${plural(shown.length, "node")}; ${plural(hot, "cell")} of ${step} with at least thrice as many as expected.`;
  return (
    <ChartFrame
      title="Node by time"
      note={`lost rollouts per ${step}, ${zone.name}`}
      summary={summary}
      legend={<HeatLegend />}
      height={shown.length * HEAT_ROW_PX + TOP}
      fileName={fileStem("nodes-by-time", run ?? "all")}
      table={<HeatTable map={map} run={run} />}
    >
      <div className="scroll-x">
        <Grid map={map} names={shown.map((node) => node.node)} run={run} zone={zone} summary={summary} />
      </div>
    </ChartFrame>
  );
}

interface GridProps {
  map: HeatMap;
  names: readonly string[];
  run: string | null;
  zone: Zone;
  summary: string;
}

function Grid({ map, names, run, zone, summary }: GridProps) {
  const { xs, cell, width } = placeColumns(map, NAME);
  const { short } = nodeNames(names);
  const rowOf = new Map(names.map((name, i) => [name, TOP + i * HEAT_ROW_PX]));
  return (
    <svg data-chart="" width={width} height={names.length * HEAT_ROW_PX + TOP} className="block">
      <title>{summary}</title>
      {map.columns.map(({ at, gap }, i) => (
        <Head
          key={at}
          at={at}
          x={xs[i] ?? 0}
          gap={gap}
          shown={isLabelled(map, i, cell)}
          map={map}
          zone={zone}
          height={names.length * HEAT_ROW_PX}
        />
      ))}
      {names.map((name, i) => (
        <text key={name} x={0} y={TOP + i * HEAT_ROW_PX + 13} className="plot-text">
          <title>{name}</title>
          {cut(short(name))}
        </text>
      ))}
      {map.cells.map((one) => (
        <Cell
          key={`${one.node} ${one.column}`}
          one={one}
          x={xs[one.column] ?? 0}
          y={rowOf.get(one.node) ?? 0}
          width={cell}
          map={map}
          run={run}
          zone={zone}
        />
      ))}
    </svg>
  );
}

/** As much as the column of names holds. */
function cut(name: string): string {
  return name.length > 20 ? `${name.slice(0, 19)}…` : name;
}

interface HeadProps {
  at: number;
  x: number;
  gap: boolean;
  shown: boolean;
  map: HeatMap;
  zone: Zone;
  height: number;
}

/** A column's time, and the silence before it. */
function Head({ at, x, gap, shown, map, zone, height }: HeadProps) {
  const day = map.columnMs >= DAY_MS || gap || at === map.columns[0]?.at || minute(at, zone) === "00:00";
  return (
    <>
      {gap && <line x1={x - GAP / 2} x2={x - GAP / 2} y1={TOP} y2={TOP + height} className="plot-expected" />}
      {shown && (
        <text x={x} y={12} className="plot-text">
          {day ? shortDay(at, zone) : minute(at, zone)}
        </text>
      )}
    </>
  );
}

interface CellProps {
  one: HeatCell;
  x: number;
  y: number;
  width: number;
  map: HeatMap;
  run: string | null;
  zone: Zone;
}

/** A cell with losses leads to them; one without is only drawn. */
function Cell({ one, x, y, width, map, run, zone }: CellProps) {
  const from = map.columns[one.column]?.at ?? 0;
  const said = `${one.node}, ${full(from, zone).slice(0, 16)}: ${one.lost} of ${plural(one.rollouts, "rollout")} lost`;
  const box = (
    <>
      <title>{said}</title>
      <rect x={x + 0.5} y={y + 0.5} width={width - 1} height={HEAT_ROW_PX - 1} rx={2} className={`heat-${one.level}`} />
      {one.lost > 0 && (
        <text x={x + width / 2} y={y + 13} textAnchor="middle" className={`heat-n heat-n-${one.level}`}>
          {one.lost}
        </text>
      )}
    </>
  );
  if (one.lost === 0) return <g>{box}</g>;
  return (
    <Link href={incidentsHref({ node: one.node, run, from, to: from + map.columnMs })} aria-label={said}>
      {box}
    </Link>
  );
}

const LEVELS = ["none lost", "one, or as expected", "more than expected", "thrice and more"];

function HeatLegend() {
  return (
    <ul className="flex flex-wrap gap-x-3.5 text-small text-mut">
      {LEVELS.map((name, level) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <svg width={12} height={12} aria-hidden="true">
            <rect width={12} height={12} rx={2} className={`heat-${level}`} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
