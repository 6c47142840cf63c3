"use client";

import { ChartFrame } from "@/app/_ui/chart/chart-frame";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { rateText } from "@/app/_ui/format";
import { type Danger, GAP_PLOT_PX, GapPlot, lookOf, Mark } from "./gap-plot";
import { freshOnly, type GapPoint, gapWords } from "./gap-rows";

const ORDER = ["unbounded", "bounded", "fresh"];

/** Share of reuses that failed after each idle gap: the cliff, with the danger window shaded. */
export function GapCliff({ rows, detail }: { rows: readonly GapPoint[]; detail: Record<string, unknown> | null }) {
  if (rows.length === 0) return null;
  const profiles = [...new Set(rows.map((row) => row.profile))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const danger = (detail?.danger ?? null) as Danger | null;
  const said = gapWords(rows, profiles, danger);
  return (
    <ChartFrame
      title="Failures by idle gap"
      note="share of requests on a kept socket that failed, with 95 % interval"
      summary={said}
      legend={<Legend profiles={profiles} fresh={rows.some(freshOnly)} danger={danger !== null} />}
      height={GAP_PLOT_PX}
      fileName={fileStem("idle-gap")}
      table={<GapTable rows={rows} />}
    >
      <GapPlot rows={rows} profiles={profiles} danger={danger} summary={said} />
    </ChartFrame>
  );
}

function Legend({ profiles, fresh, danger }: { profiles: readonly string[]; fresh: boolean; danger: boolean }) {
  return (
    <ul className="flex flex-wrap gap-x-3.5 text-small text-mut">
      {profiles.map((profile, i) => (
        <li key={profile} className="inline-flex items-center gap-1.5">
          <svg width={24} height={10} aria-hidden="true" style={{ stroke: lookOf(i).stroke }}>
            <path d="M0 5 H24" strokeWidth={1.5} strokeDasharray={lookOf(i).dash} />
            <Mark x={12} y={5} look={lookOf(i)} />
          </svg>
          {profile}
        </li>
      ))}
      {fresh && (
        <li className="inline-flex items-center gap-1.5">
          <svg width={10} height={10} aria-hidden="true" style={{ stroke: "var(--mut)" }}>
            <Mark x={5} y={5} look={lookOf(0)} hollow />
          </svg>
          not reused: a fresh socket
        </li>
      )}
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
          <th scope="col">As</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.profile} ${row.gapS}`}>
            <th scope="row">{row.gapS} s</th>
            <td>{row.profile}</td>
            <td className="num">{row.reused}</td>
            <td className="num">{row.failed}</td>
            <td>{row.rate === null ? freshText(row) : rateText(row.rate)}</td>
            <td>{Object.keys(row.classes).join(", ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function freshText({ sent, failedFresh }: GapPoint): string {
  return sent === 0 ? "nothing was sent" : `a fresh socket each: ${failedFresh} of ${sent} failed`;
}
