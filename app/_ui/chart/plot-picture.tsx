"use client";

import { useEffect, useRef } from "react";
import { percent, rateText } from "../format";
import { place } from "../scale";
import { exportPng } from "./export-png";
import type { PlotPngProps, PlotRow } from "./plot-png";
import { fileStem } from "./save-blob";

const LINE = 22;
const NAME = 200;
const WIDTH = 300;
const TEXT = 270;

/** Drawn out of sight, saved, and gone. */
export function PlotPicture({ fileName, end, rows, onDone }: PlotPngProps & { onDone(): void }) {
  const svg = useRef<SVGSVGElement>(null);
  const stem = fileStem(...fileName);
  useEffect(() => {
    if (svg.current) exportPng(svg.current, `${stem}.png`).then(onDone, onDone);
  }, [stem, onDone]);
  return (
    <div aria-hidden="true" className="pointer-events-none fixed top-0 left-[-9999px]">
      <svg ref={svg} width={NAME + WIDTH + TEXT} height={(rows.length + 1) * LINE}>
        <title>{stem}</title>
        <text x={NAME} y={14} className="plot-text">{`Share lost, 0 – ${percent(end, 0)}`}</text>
        {rows.map((row, i) => (
          <PictureRow key={row.name} row={row} end={end} y={(i + 1) * LINE + LINE / 2} />
        ))}
      </svg>
    </div>
  );
}

function PictureRow({ row, end, y }: { row: PlotRow; end: number; y: number }) {
  const x = (share: number) => NAME + place(share, end, WIDTH);
  return (
    <g className={row.bad ? "plot-bad" : undefined}>
      <text x={0} y={y + 4} className="plot-text">
        {row.name}
      </text>
      {row.expected !== null && (
        <line x1={x(row.expected)} x2={x(row.expected)} y1={y - 8} y2={y + 8} className="plot-expected" />
      )}
      {row.rate && (
        <>
          <line x1={x(row.rate.low)} x2={x(row.rate.high)} y1={y} y2={y} className="plot-interval" />
          <circle cx={x(row.rate.value)} cy={y} r={4} className="plot-point" />
        </>
      )}
      <text x={NAME + WIDTH + 12} y={y + 4} className="plot-text">
        {rateText(row.rate)}
      </text>
    </g>
  );
}
