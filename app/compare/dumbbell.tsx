import { clsx } from "clsx";
import type { CompareVerdict, MetricComparison, MetricValue } from "@/server/compare/answer";
import { type Axis, metricAxis, placeOn } from "./axis";
import { sizeText, valueText } from "./compare-text";

const HEIGHT = 34;

/** Both runs' values on one axis, each on its 95 % interval; the filled dot is the candidate. */
export function Dumbbell({ metric, width = 220 }: { metric: MetricComparison; width?: number }) {
  const axis = metricAxis(metric);
  const said = (["baseline", "candidate"] as const).map((side) => sideSaid(metric, side)).join("; ");
  return (
    <svg
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={said}
      className="block max-w-full"
    >
      <title>{said}</title>
      <DumbbellMarks metric={metric} axis={axis} width={width} />
      <text x={6} y={32} className="plot-text">
        {endText(metric, axis.from)}
      </text>
      <text x={width - 6} y={32} textAnchor="end" className="plot-text">
        {endText(metric, axis.to)}
      </text>
    </svg>
  );
}

function endText(metric: MetricComparison, value: number): string {
  return valueText(metric.id, value).replace(/\.0+( %)?$/, "$1");
}

function sideSaid(metric: MetricComparison, side: "baseline" | "candidate"): string {
  const known = metric[side];
  return known === null
    ? `${side} not known`
    : `${side} ${valueText(metric.id, known.value.value)} (${sizeText(metric, known)})`;
}

interface MarksProps {
  metric: MetricComparison;
  axis: Axis;
  width: number;
}

/** The marks alone, 20 px high, for a picture of several. */
export function DumbbellMarks({ metric, axis, width }: MarksProps) {
  const x = (value: number) => placeOn(axis, value, width);
  const { baseline, candidate } = metric;
  return (
    <g className={clsx(metric.verdict === "worse" && "plot-bad")}>
      <line x1={x(axis.from)} x2={x(axis.to)} y1={20} y2={20} className="plot-axis" />
      {baseline && candidate && (
        <line
          x1={x(baseline.value.value)}
          x2={x(candidate.value.value)}
          y1={6}
          y2={14}
          stroke="var(--mut)"
          strokeWidth={1}
        />
      )}
      {baseline && <Interval side={baseline} x={x} y={6} hollow />}
      {candidate && <Interval side={candidate} x={x} y={14} />}
    </g>
  );
}

function Interval({
  side,
  x,
  y,
  hollow,
}: {
  side: MetricValue;
  x(value: number): number;
  y: number;
  hollow?: boolean;
}) {
  const { value, low, high } = side.value;
  return (
    <>
      {low !== null && high !== null && <line x1={x(low)} x2={x(high)} y1={y} y2={y} className="plot-interval" />}
      {hollow ? (
        <circle cx={x(value)} cy={y} r={3.5} fill="var(--bg)" stroke="var(--ink)" strokeWidth={1.5} />
      ) : (
        <circle cx={x(value)} cy={y} r={4} className="plot-point" />
      )}
    </>
  );
}

interface DifferencePlotProps {
  difference: number;
  low: number | null;
  high: number | null;
  axis: Axis;
  verdict: CompareVerdict | null;
  said: string;
  width?: number;
}

/** A difference on its interval, around zero; to the right the candidate is better. */
export function DifferencePlot({ said, width = 150, ...rest }: DifferencePlotProps) {
  return (
    <svg
      width={width}
      height={20}
      viewBox={`0 0 ${width} 20`}
      role="img"
      aria-label={said}
      className="block max-w-full"
    >
      <title>{said}</title>
      <DifferenceMarks {...rest} width={width} />
    </svg>
  );
}

export function DifferenceMarks({
  difference,
  low,
  high,
  axis,
  verdict,
  width,
}: Omit<DifferencePlotProps, "said"> & { width: number }) {
  const x = (value: number) => placeOn(axis, value, width);
  return (
    <g className={clsx(verdict === "worse" && "plot-bad")}>
      <line x1={x(axis.from)} x2={x(axis.to)} y1={10} y2={10} className="plot-axis" />
      <line x1={x(0)} x2={x(0)} y1={1} y2={19} className="plot-expected" />
      {low !== null && high !== null && (
        <line x1={x(low)} x2={x(high)} y1={10} y2={10} className="plot-interval" style={good(verdict, 0.45)} />
      )}
      <circle cx={x(difference)} cy={10} r={4} className="plot-point" style={good(verdict, 1)} />
    </g>
  );
}

/** Green only where the difference is clear; its place right of zero says the same. */
function good(verdict: CompareVerdict | null, share: number) {
  if (verdict !== "better") return undefined;
  const colour = `color-mix(in srgb, var(--good) ${share * 100}%, var(--bg))`;
  return share === 1 ? { fill: "var(--good)" } : { stroke: colour };
}
