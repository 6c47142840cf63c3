/** Where a value lies on an axis. Pure. */

const ENDS = [0.05, 0.1, 0.25, 0.5, 0.75, 1];

/** The least round end of an axis that holds every fraction: 5, 10, 25, 50, 75 or 100 %. */
export function fractionEnd(values: readonly number[]): number {
  const most = Math.max(0, ...values);
  return ENDS.find((end) => most <= end) ?? 1;
}

/** Position of `value` in px on an axis of `width` px from 0 to `end`, with `pad` px free at both sides. */
export function place(value: number, end: number, width: number, pad = 6): number {
  const share = end > 0 ? Math.min(1, Math.max(0, value / end)) : 0;
  return Math.round((pad + share * (width - 2 * pad)) * 10) / 10;
}

/** A round number of whole steps at or above `most`, for axes of counts. */
export function countEnd(most: number): number {
  if (most <= 4) return Math.max(1, Math.ceil(most));
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= most) ?? 10;
  return Math.ceil(step * power);
}
