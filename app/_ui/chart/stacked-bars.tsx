"use client";

import { useId } from "react";
import { Bar, BarChart, CartesianGrid, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { FamilyCounts } from "@/server/domain/answers";
import { FAMILY_NAME, FAMILY_ORDER, familyParts } from "../families";
import { FamilySwatch } from "../family-mark";
import { FamilyPatterns, patternId } from "./family-patterns";

export interface BarDatum {
  key: string;
  /** Under the axis. */
  label: string;
  /** The whole name, with its time. */
  title: string;
  /** What went well; left out where the chart shows failures only. */
  well?: number;
  byFamily: FamilyCounts;
  /** More to say in the box, e.g. the rate with its size. */
  note?: string;
}

interface StackedBarsProps {
  data: readonly BarDatum[];
  height: number;
  /** What the picture shows, for readers of text. */
  summary: string;
  /** What `well` counts. */
  wellName?: string;
  onPick?: (key: string) => void;
}

const TICK = { fontSize: 11, fill: "var(--mut)", fontFamily: "var(--font-sans)" };

/** Bars by time, stacked by family; what went well below. */
export function StackedBars({ data, height, summary, wellName = "Not lost", onPick }: StackedBarsProps) {
  const prefix = useId().replace(/[^A-Za-z0-9]/g, "");
  const families = FAMILY_ORDER.filter((family) => data.some((datum) => datum.byFamily[family] > 0));
  const withWell = data.some((datum) => datum.well !== undefined);
  const pick = (datum: { payload?: BarDatum }) => datum.payload && onPick?.(datum.payload.key);
  const bar = { stackId: "all", isAnimationActive: false, maxBarSize: 36, onClick: pick, cursor: onPick && "pointer" };
  return (
    <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 1000, height }}>
      <BarChart data={[...data]} margin={{ top: 6, right: 0, bottom: 0, left: 0 }} barCategoryGap="10%" desc={summary}>
        <FamilyPatterns prefix={prefix} />
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="label"
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: "var(--line2)" }}
          minTickGap={36}
          interval="preserveStart"
          height={20}
        />
        <YAxis tick={TICK} tickLine={false} axisLine={false} width={34} allowDecimals={false} tickCount={4} />
        <ReferenceLine y={0} stroke="var(--line2)" />
        <Tooltip content={<Box wellName={wellName} />} cursor={{ fill: "var(--sub)" }} isAnimationActive={false} />
        {withWell && <Bar {...bar} dataKey="well" name={wellName} fill="var(--well)" />}
        {families.map((family) => (
          <Bar
            key={family}
            {...bar}
            dataKey={(datum: BarDatum) => datum.byFamily[family]}
            name={FAMILY_NAME[family]}
            fill={`url(#${patternId(prefix, family)})`}
            stroke="var(--bg)"
            strokeWidth={1}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}

interface BoxProps {
  wellName: string;
  active?: boolean;
  payload?: readonly { payload?: BarDatum }[];
}

/** What one bar holds. */
function Box({ active, payload, wellName }: BoxProps) {
  const datum = payload?.[0]?.payload;
  if (!active || !datum) return null;
  return (
    <div className="rounded-md border border-line2 bg-raise px-2.5 py-1.5 text-small shadow-xl">
      <p className="font-medium">{datum.title}</p>
      {familyParts(datum.byFamily).map(({ family, n }) => (
        <p key={family} className="flex items-center gap-2">
          <FamilySwatch family={family} /> {FAMILY_NAME[family]} <span className="tabular ml-auto pl-4">{n}</span>
        </p>
      ))}
      {datum.well !== undefined && (
        <p className="flex items-center gap-2 text-mut">
          <i aria-hidden="true" className="swatch bg-well" /> {wellName}{" "}
          <span className="tabular ml-auto pl-4">{datum.well}</span>
        </p>
      )}
      {datum.note && <p className="text-mut">{datum.note}</p>}
    </div>
  );
}
