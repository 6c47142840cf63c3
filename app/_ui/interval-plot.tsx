import { clsx } from "clsx";
import type { Rate } from "@/server/domain/rate";
import { percent, rateText } from "./format";
import { place } from "./scale";

interface IntervalPlotProps {
  rate: Rate | null;
  /** The fraction at the axis's right end. */
  end: number;
  width?: number;
  /** The share that was to be expected, as a dashed mark. */
  expected?: number | null;
  bad?: boolean;
}

/** A share as a dot on its 95 % interval. */
export function IntervalPlot({ rate, end, width = 200, expected = null, bad = false }: IntervalPlotProps) {
  const said = rateText(rate) + (expected === null ? "" : `, expected ${percent(expected)}`);
  return (
    <svg
      width={width}
      height={18}
      viewBox={`0 0 ${width} 18`}
      role="img"
      aria-label={said}
      className={clsx("block max-w-full", bad && "plot-bad")}
    >
      <title>{said}</title>
      <line x1={place(0, end, width)} x2={place(end, end, width)} y1={9} y2={9} className="plot-axis" />
      {expected !== null && (
        <line
          x1={place(expected, end, width)}
          x2={place(expected, end, width)}
          y1={1}
          y2={17}
          className="plot-expected"
        />
      )}
      {rate !== null && (
        <>
          <line
            x1={place(rate.low, end, width)}
            x2={place(rate.high, end, width)}
            y1={9}
            y2={9}
            className="plot-interval"
          />
          <circle cx={place(rate.value, end, width)} cy={9} r={4} className="plot-point" />
        </>
      )}
    </svg>
  );
}
