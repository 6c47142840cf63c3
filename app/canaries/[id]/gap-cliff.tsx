"use client";

import { ChartFrame } from "@/app/_ui/chart/chart-frame";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { percent, plural, rateText } from "@/app/_ui/format";
import { type GapPoint, labelledGaps, placeGap } from "./gap-rows";

const WIDTH = 760;
const HEIGHT = 220;
const LEFT = 44;
const RIGHT = WIDTH - 14;
const TOP = 12;
const BOTTOM = HEIGHT - 26;
const LABEL_PX = 34;

interface Danger {
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
const lookOf = (i: number) => LOOKS[i % LOOKS.length] ?? LOOKS[0];

const ORDER = ["unbounded", "bounded", "fresh"];

/** Share of reuses that failed after each idle gap: the cliff, with the danger window shaded. */
export function GapCliff({ rows, detail }: { rows: readonly GapPoint[]; detail: Record<string, unknown> | null }) {
  if (rows.length === 0) return null;
  const profiles = [...new Set(rows.map((row) => row.profile))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const danger = (detail?.danger ?? null) as Danger | null;
  const said = profiles
    .map((profile) =>
      summaryOf(
        rows.filter((row) => row.profile === profile),
        profile,
      ),
    )
    .join(" ");
  return (
    <ChartFrame
      title="Failures by idle gap"
      note="share of requests on a kept socket that failed, with 95 % interval"
      summary={danger ? `${said} ${dangerText(danger)}` : said}
      legend={<Legend profiles={profiles} danger={danger !== null} />}
      height={HEIGHT}
      fileName={fileStem("idle-gap")}
      table={<GapTable rows={rows} />}
    >
      <div className="scroll-x">
        <Cliff rows={rows} profiles={profiles} danger={danger} summary={said} />
      </div>
    </ChartFrame>
  );
}

function dangerText({ fromS, toS }: Danger): string {
  return `Danger ${fromS === toS ? `at ${fromS} s` : `from ${fromS} to ${toS} s`} of idleness.`;
}

function summaryOf(rows: readonly GapPoint[], profile: string): string {
  const reused = rows.reduce((sum, row) => sum + row.reused, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  return `${profile}: ${failed} of ${plural(reused, "reuse")} failed.`;
}

interface CliffProps {
  rows: readonly GapPoint[];
  profiles: readonly string[];
  danger: Danger | null;
  summary: string;
}

const y = (share: number): number => BOTTOM - share * (BOTTOM - TOP);

function Cliff({ rows, profiles, danger, summary }: CliffProps) {
  const gaps = rows.map((row) => row.gapS);
  const x = (gap: number): number => placeGap(gap, gaps, LEFT + 8, RIGHT - 8);
  return (
    <svg data-chart="" width={WIDTH} height={HEIGHT} className="block">
      <title>{summary}</title>
      {danger && <Shade danger={danger} x={x} />}
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line x1={LEFT} x2={RIGHT} y1={y(share)} y2={y(share)} className="plot-axis" />
          <text x={LEFT - 6} y={y(share) + 4} textAnchor="end" className="plot-text">
            {percent(share, 0)}
          </text>
        </g>
      ))}
      {labelledGaps(gaps, x, LABEL_PX).map((gap) => (
        <text key={gap} x={x(gap)} y={HEIGHT - 8} textAnchor="middle" className="plot-text">
          {gap} s
        </text>
      ))}
      {profiles.map((profile, i) => (
        <Line key={profile} rows={rows.filter((row) => row.profile === profile)} x={x} look={lookOf(i)} />
      ))}
    </svg>
  );
}

function Shade({ danger, x }: { danger: Danger; x: (gap: number) => number }) {
  const from = x(danger.aboveS ?? danger.fromS);
  const to = x(danger.toS);
  return (
    <>
      <rect x={from} y={TOP} width={Math.max(6, to - from)} height={BOTTOM - TOP} style={{ fill: "var(--bad-bg)" }} />
      <text x={Math.min(from + 4, RIGHT - 60)} y={TOP + 12} className="plot-text" style={{ fill: "var(--bad)" }}>
        danger
      </text>
    </>
  );
}

function Line({
  rows,
  x,
  look,
}: {
  rows: readonly GapPoint[];
  x: (gap: number) => number;
  look: (typeof LOOKS)[number];
}) {
  // A gap after which no socket was used again says nothing of reuse.
  const known = rows.flatMap((row) =>
    row.rate === null ? [] : [{ gapS: row.gapS, rate: row.rate, profile: row.profile }],
  );
  const path = known.map((row, i) => `${i === 0 ? "M" : "L"}${x(row.gapS)} ${y(row.rate.value)}`).join(" ");
  return (
    <g style={{ stroke: look.stroke, fill: "none" }}>
      <path d={path} strokeWidth={1.5} strokeDasharray={look.dash} />
      {known.map(({ gapS, rate, profile }) => (
        <g key={gapS}>
          <title>{`${profile}, ${gapS} s: ${rateText(rate)}`}</title>
          <line x1={x(gapS)} x2={x(gapS)} y1={y(rate.low)} y2={y(rate.high)} strokeWidth={3} strokeOpacity={0.35} />
          {look.square ? (
            <rect x={x(gapS) - 3.5} y={y(rate.value) - 3.5} width={7} height={7} style={{ fill: look.stroke }} />
          ) : (
            <circle cx={x(gapS)} cy={y(rate.value)} r={4} style={{ fill: look.stroke }} />
          )}
        </g>
      ))}
    </g>
  );
}

function Legend({ profiles, danger }: { profiles: readonly string[]; danger: boolean }) {
  return (
    <ul className="flex flex-wrap gap-x-3.5 text-small text-mut">
      {profiles.map((profile, i) => {
        const look = lookOf(i);
        return (
          <li key={profile} className="inline-flex items-center gap-1.5">
            <svg width={24} height={10} aria-hidden="true" style={{ stroke: look.stroke, fill: look.stroke }}>
              <path d="M0 5 H24" strokeWidth={1.5} strokeDasharray={look.dash} />
              {look.square ? <rect x={9} y={2} width={6} height={6} /> : <circle cx={12} cy={5} r={3.5} />}
            </svg>
            {profile}
          </li>
        );
      })}
      {danger && (
        <li className="inline-flex items-center gap-1.5">
          <svg width={12} height={12} aria-hidden="true">
            <rect width={12} height={12} rx={2} style={{ fill: "var(--bad-bg)", stroke: "var(--bad-line)" }} />
          </svg>
          danger window
        </li>
      )}
    </ul>
  );
}

function GapTable({ rows }: { rows: readonly GapPoint[] }) {
  return (
    <table className="grid-table">
      <caption className="sr-only">Failures by idle gap and profile</caption>
      <thead>
        <tr>
          <th scope="col">Gap</th>
          <th scope="col">Profile</th>
          <th scope="col" className="num">
            Reused
          </th>
          <th scope="col" className="num">
            Failed
          </th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.profile} ${row.gapS}`}>
            <th scope="row">{row.gapS} s</th>
            <td>{row.profile}</td>
            <td className="num">{row.reused}</td>
            <td className="num">{row.failed}</td>
            <td>{row.rate === null ? "no socket was used again" : rateText(row.rate)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
