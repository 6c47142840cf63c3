/** Numbers and times as text. Pure: the same input gives the same text on the server and in the browser. */
import type { Rate } from "@/server/domain/rate";
import { thousands } from "./thousands";

/** What stands where nothing is known. */
export const NOTHING = "–";

/** A fraction as a percentage: `13.0 %`. */
export function percent(fraction: number, digits = 1): string {
  return `${(fraction * 100).toFixed(digits)} %`;
}

/** A fraction as a CSS length. */
export function cssShare(fraction: number): string {
  return `${(fraction * 100).toFixed(2)}%`;
}

/** `9.7–17.1 %` */
export function percentRange(low: number, high: number): string {
  return `${(low * 100).toFixed(1)}–${percent(high)}`;
}

/** `41/316 · 9.7–17.1 %` */
export function rateSize(rate: Rate): string {
  return `${count(rate.k)}/${count(rate.n)} · ${percentRange(rate.low, rate.high)}`;
}

/** A rate in one phrase, for readers of text: `13.0 % (41 of 316, 9.7–17.1 %)`. */
export function rateText(rate: Rate | null): string {
  if (rate === null) return "no finished rollout";
  return `${percent(rate.value)} (${count(rate.k)} of ${count(rate.n)}, ${percentRange(rate.low, rate.high)})`;
}

/** A p or q: two digits, however small. */
export function pValue(p: number): string {
  if (p >= 0.0995) return p.toFixed(2);
  return p < 1e-6 ? p.toExponential(0) : String(Number(p.toPrecision(2)));
}

/** Whole numbers with a thin space between thousands: `12 480`. */
export function count(n: number): string {
  return thousands(String(Math.round(n)));
}

/** `1 rollout`, `12 rollouts`; the plural adds an s unless given. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `512 B`, `1.4 GiB` */
export function bytes(n: number): string {
  let value = n;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[unit]}`;
}

const STEPS: readonly [ms: number, unit: string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** The largest unit that fits, with the next one where it tells something: `2 h 5 min`, `41 s`, `under 1 s`. */
export function duration(ms: number): string {
  const at = STEPS.findIndex(([step]) => ms >= step);
  const step = STEPS[at];
  if (step === undefined) return "under 1 s";
  const whole = Math.floor(ms / step[0]);
  const next = STEPS[at + 1];
  const rest = next === undefined || whole >= 10 ? 0 : Math.floor((ms - whole * step[0]) / next[0]);
  return rest > 0 && next ? `${whole} ${step[1]} ${rest} ${next[1]}` : `${whole} ${step[1]}`;
}

/** `5 min ago`; `in 2 h` for a clock that is ahead. Epoch ms. */
export function ago(at: number, now: number): string {
  const apart = now - at;
  if (Math.abs(apart) < 45_000) return "just now";
  const step = STEPS.find(([ms]) => Math.abs(apart) >= ms) ?? [60_000, "min"];
  const whole = Math.max(1, Math.round(Math.abs(apart) / step[0]));
  return apart < 0 ? `in ${whole} ${step[1]}` : `${whole} ${step[1]} ago`;
}

/** A count with its share of a whole, as text for a bar's label: `24 of 41`. */
export function ofWhole(k: number, n: number): string {
  return `${count(k)} of ${count(n)}`;
}
