"use client";

import { ImageDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/app/_ui/button";
import { exportPng } from "@/app/_ui/chart/export-png";
import { fileStem } from "@/app/_ui/chart/save-blob";
import type { CompareAnswer, MetricComparison } from "@/server/compare/answer";
import { differenceAxis, metricAxis } from "./axis";
import type { Paired } from "./compare-parsers";
import { differenceText, intervalText, shownEstimate, unitOf, valueText } from "./compare-text";
import { DifferenceMarks, DumbbellMarks } from "./dumbbell";

interface MetricsPngProps {
  answer: CompareAnswer;
  paired: Paired;
  fileName: readonly string[];
}

const LINE = 36;
const TOP = 44;
const WIDE = { name: 210, values: 130, both: 220, difference: 170, text: 260 };
const WIDTH = Object.values(WIDE).reduce((sum, width) => sum + width, 0);

/** Saves the dumbbells and differences as one picture. */
export function MetricsPng(props: MetricsPngProps) {
  const [drawing, setDrawing] = useState(false);
  return (
    <>
      <Button look="quiet" size="small" onClick={() => setDrawing(true)}>
        <ImageDown aria-hidden="true" /> PNG
      </Button>
      {drawing && <Picture {...props} onDone={() => setDrawing(false)} />}
    </>
  );
}

/** Drawn out of sight, saved, and gone. */
function Picture({ answer, paired, fileName, onDone }: MetricsPngProps & { onDone(): void }) {
  const svg = useRef<SVGSVGElement>(null);
  const stem = fileStem(...fileName);
  const axisFor = differenceAxis(answer.metrics, (metric) => shownEstimate(metric, paired));
  useEffect(() => {
    if (svg.current) exportPng(svg.current, `${stem}.png`).then(onDone, onDone);
  }, [stem, onDone]);
  return (
    <div aria-hidden="true" className="pointer-events-none fixed top-0 left-[-9999px]">
      <svg ref={svg} width={WIDTH} height={TOP + answer.metrics.length * LINE}>
        <title>{stem}</title>
        <text x={0} y={14} className="plot-text">{`Baseline (hollow): ${answer.baseline.name}`}</text>
        <text x={0} y={30} className="plot-text">{`Candidate (filled): ${answer.candidate.name}`}</text>
        {answer.metrics.map((metric, i) => (
          <PictureRow key={metric.id} metric={metric} paired={paired} axis={axisFor(metric)} y={TOP + i * LINE} />
        ))}
      </svg>
    </div>
  );
}

interface PictureRowProps {
  metric: MetricComparison;
  paired: Paired;
  axis: ReturnType<typeof metricAxis>;
  y: number;
}

function PictureRow({ metric, paired, axis, y }: PictureRowProps) {
  const shown = shownEstimate(metric, paired);
  const unit = unitOf(metric);
  const [from, to] = [metric.baseline, metric.candidate].map((side) => side && valueText(metric.id, side.value.value));
  const atBoth = WIDE.name + WIDE.values;
  const atDifference = atBoth + WIDE.both;
  return (
    <g transform={`translate(0 ${y})`}>
      <text x={0} y={16} className="plot-text">
        {metric.title}
      </text>
      <text x={WIDE.name} y={16} className="plot-text">{`${from ?? "–"} → ${to ?? "–"}`}</text>
      <g transform={`translate(${atBoth} 2)`}>
        <DumbbellMarks metric={metric} axis={metricAxis(metric)} width={WIDE.both - 20} />
      </g>
      {shown && (
        <>
          <g transform={`translate(${atDifference} 2)`}>
            <DifferenceMarks {...shown.estimate} axis={axis} verdict={metric.verdict} width={WIDE.difference - 20} />
          </g>
          <text x={atDifference + WIDE.difference} y={16} className="plot-text">
            {`${differenceText(shown.estimate.difference, unit)} (${intervalText(shown.estimate, unit)})`}
          </text>
        </>
      )}
    </g>
  );
}
