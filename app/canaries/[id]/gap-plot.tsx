"use client";

import { useRef } from "react";
import { percent, rateText } from "@/app/_ui/format";
import { useWidth } from "@/app/_ui/use-width";
import { freshOnly, type GapPoint, placeGap } from "./gap-rows";

export const GAP_PLOT_PX = 248;
const LEFT = 44;
const TOP = 26;
const BOTTOM = GAP_PLOT_PX - 42;
/** Between the marks of two profiles in one column. */
const DODGE_PX = 7;
/** A label needs so much, or every second one is left out. */
const LABEL_PX = 30;

export interface Danger {
  fromS: number;
  toS: number;
  aboveS: number | null;
}

/** Each profile a mark and a line of its own, so that colour is never needed. */
const LOOKS = [
  { stroke: "var(--bad)", dash: undefined, square: false },
  { stroke: "var(--acc)", dash: "5 3", square: true },
  { stroke: "var(--mut)", dash: "1 3", square: false },
] as const;
type Look = (typeof LOOKS)[number];
export const lookOf = (i: number): Look => LOOKS[i % LOOKS.length] ?? LOOKS[0];

const y = (share: number): number => BOTTOM - share * (BOTTOM - TOP);

interface GapPlotProps {
  rows: readonly GapPoint[];
  profiles: readonly string[];
  danger: Danger | null;
  summary: string;
}

/** A column for each gap that was tried, all as wide: what matters lies within tenths of a second. */
export function GapPlot({ rows, profiles, danger, summary }: GapPlotProps) {
  const gaps = [...new Set(rows.map((row) => row.gapS))].sort((a, b) => a - b);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const right = width - 8;
  const column = (right - LEFT) / Math.max(1, gaps.length);
  const x = (gap: number): number => placeGap(gap, gaps, LEFT, right);
  const every = Math.ceil(LABEL_PX / column);
  return (
    <div ref={box} className="overflow-hidden">
      <svg data-chart="" width={width} height={GAP_PLOT_PX} className="block">
        <title>{summary}</title>
        {danger && <Shade from={x(danger.fromS) - column / 2} to={x(danger.toS) + column / 2} />}
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share}>
            <line x1={LEFT} x2={right} y1={y(share)} y2={y(share)} className="plot-axis" />
            <text x={LEFT - 6} y={y(share) + 4} textAnchor="end" className="plot-text">
              {percent(share, 0)}
            </text>
          </g>
        ))}
        {gaps.map((gap, i) =>
          i % every === 0 ? (
            <text key={gap} x={x(gap)} y={BOTTOM + 17} textAnchor="middle" className="plot-text">
              {gap}
            </text>
          ) : null,
        )}
        <text x={(LEFT + right) / 2} y={GAP_PLOT_PX - 6} textAnchor="middle" className="plot-text">
          seconds idle before the socket was used again
        </text>
        {profiles.map((profile, i) => {
          const aside = (i - (profiles.length - 1) / 2) * DODGE_PX;
          const own = rows.filter((row) => row.profile === profile);
          return <Line key={profile} rows={own} x={(gap) => x(gap) + aside} look={lookOf(i)} />;
        })}
      </svg>
    </div>
  );
}

function Shade({ from, to }: { from: number; to: number }) {
  return (
    <>
      <rect x={from} y={TOP} width={to - from} height={BOTTOM - TOP} style={{ fill: "var(--bad-bg)" }} />
      <text x={(from + to) / 2} y={TOP - 10} textAnchor="middle" className="plot-text" style={{ fill: "var(--bad)" }}>
        danger
      </text>
    </>
  );
}

function Line({ rows, x, look }: { rows: readonly GapPoint[]; x: (gap: number) => number; look: Look }) {
  // A gap after which no socket was used again says nothing of reuse: it is marked, and no part of the line.
  const known = rows.flatMap(({ profile, gapS, rate }) => (rate === null ? [] : [{ profile, gapS, rate }]));
  const path = known.map(({ gapS, rate }, i) => `${i === 0 ? "M" : "L"}${x(gapS)} ${y(rate.value)}`).join(" ");
  return (
    <g style={{ stroke: look.stroke, fill: "none" }}>
      <path d={path} strokeWidth={1.5} strokeDasharray={look.dash} />
      {known.map(({ profile, gapS, rate }) => (
        <g key={gapS}>
          <title>{`${profile}, ${gapS} s: ${rateText(rate)}`}</title>
          <line x1={x(gapS)} x2={x(gapS)} y1={y(rate.low)} y2={y(rate.high)} strokeWidth={3} strokeOpacity={0.35} />
          <Mark x={x(gapS)} y={y(rate.value)} look={look} />
        </g>
      ))}
      {rows.filter(freshOnly).map(({ profile, gapS, sent, failedFresh }) => (
        <g key={gapS}>
          <title>{`${profile}, ${gapS} s: a fresh socket each, ${failedFresh} of ${sent} failed`}</title>
          <Mark x={x(gapS)} y={y(failedFresh / sent)} look={look} hollow />
        </g>
      ))}
    </g>
  );
}

/** A profile's mark; hollow where its sockets were too old to be used again. */
export function Mark({ x, y: at, look, hollow = false }: { x: number; y: number; look: Look; hollow?: boolean }) {
  const fill = hollow ? "var(--bg)" : look.stroke;
  if (!look.square) return <circle cx={x} cy={at} r={hollow ? 3.5 : 4} style={{ fill }} />;
  return <rect x={x - 3.5} y={at - 3.5} width={7} height={7} style={{ fill }} />;
}
