/** Axes of the dumbbells and of the differences. Pure. */
import type { MetricComparison, MetricValue } from "@/server/compare/answer";
import { isReward, type ShownEstimate } from "./compare-text";

export interface Axis {
  from: number;
  to: number;
}

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** The narrowest axis with round ends that holds all values; one that comes near zero begins there. */
export function axisOf(values: readonly number[]): Axis {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (values.length === 0 || !Number.isFinite(least) || !Number.isFinite(most)) return { from: 0, to: 1 };
  const span = most - least;
  const step = STEPS.find((one) => one * 5 >= span) ?? 10 ** Math.ceil(Math.log10(span / 5));
  const nearZero = least >= 0 && least < span;
  const from = nearZero ? 0 : Math.floor(round(least / step)) * step;
  const to = Math.ceil(round(most / step)) * step;
  return { from: round(from), to: round(to === from ? from + step : to) };
}

/** Floating point must not push a round end one step further. */
function round(x: number): number {
  return Math.round(x * 1e9) / 1e9;
}

/** Position in px, with `pad` px free at both sides. */
export function placeOn({ from, to }: Axis, value: number, width: number, pad = 6): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return Math.round((pad + share * (width - 2 * pad)) * 10) / 10;
}

/** Both sides' values and intervals. */
export function metricAxis(metric: MetricComparison): Axis {
  return axisOf([metric.baseline, metric.candidate].flatMap((side) => (side === null ? [] : extent(side))));
}

function extent({ value }: MetricValue): number[] {
  return [value.value, value.low ?? value.value, value.high ?? value.value];
}

/** One axis around zero for all differences of a unit, so that rows can be compared. */
export function differenceAxis(
  metrics: readonly MetricComparison[],
  shown: (metric: MetricComparison) => ShownEstimate | null,
) {
  const axis = (reward: boolean): Axis => {
    const sizes = metrics
      .filter((metric) => isReward(metric.id) === reward)
      .flatMap((metric) => {
        const estimate = shown(metric)?.estimate;
        return estimate ? [estimate.difference, estimate.low ?? 0, estimate.high ?? 0].map(Math.abs) : [];
      });
    return aroundZero(sizes);
  };
  const [points, reward] = [axis(false), axis(true)];
  return (metric: MetricComparison): Axis => (isReward(metric.id) ? reward : points);
}

const ENDS = [0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1];

/** From minus to plus the same round size. */
export function aroundZero(sizes: readonly number[]): Axis {
  const most = Math.max(0.01, ...sizes);
  const end = ENDS.find((one) => one >= most) ?? Math.ceil(most);
  return { from: -end, to: end };
}
