"use client";

import { useRef } from "react";
import { useWidth } from "@/app/_ui/use-width";
import type { PlacedDot, PlacedSilence } from "./certificate";

export const LANE_PX = 24;
export const TOP_PX = 20;
/** Room for the layers' names, and for half a dot at the end. */
const NAME_PX = 88;
const END_PX = 12;

interface LanesProps {
  layers: readonly string[];
  dots: readonly PlacedDot[];
  silences: readonly PlacedSilence[];
  summary: string;
}

/** One lane a layer, one dot a line; a ring and a larger dot where something failed. */
export function Lanes({ layers, dots, silences, summary }: LanesProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const height = layers.length * LANE_PX + TOP_PX;
  const x = (share: number) => Math.round((NAME_PX + share * (width - NAME_PX - END_PX)) * 10) / 10;
  const y = (layer: string) => TOP_PX + layers.indexOf(layer) * LANE_PX + LANE_PX / 2;
  return (
    <div ref={box} className="overflow-hidden">
      <svg data-chart="" role="img" aria-label={summary} width={width} height={height} className="block">
        <title>{summary}</title>
        {layers.map((layer) => (
          <g key={layer}>
            <text x={0} y={y(layer) + 4} className="plot-text">
              {layer}
            </text>
            <line x1={x(0)} x2={x(1)} y1={y(layer)} y2={y(layer)} className="plot-axis" />
          </g>
        ))}
        {silences.map(({ key, x: share, text }) => (
          <g key={key}>
            <line x1={x(share)} x2={x(share)} y1={TOP_PX - 2} y2={height} className="plot-expected" />
            <text x={x(share)} y={12} textAnchor="middle" className="plot-text">
              {text}
            </text>
          </g>
        ))}
        {dots.map((dot) => (
          <g key={dot.key} className={dot.bad ? "plot-bad" : undefined}>
            <title>{dot.said}</title>
            <circle cx={x(dot.x)} cy={y(dot.layer)} r={dot.bad ? 4.5 : 3} className="plot-point" />
            {dot.bad && <circle cx={x(dot.x)} cy={y(dot.layer)} r={7.5} fill="none" stroke="var(--bad)" />}
          </g>
        ))}
      </svg>
    </div>
  );
}
