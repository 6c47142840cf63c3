import type { Mean, Rate } from "@/server/domain/rate";

function percent(fraction: number): string {
  return (fraction * 100).toFixed(1);
}

/** `41/316 (13.0 %, 9.7–17.1 %)`; a dash where there is no data. */
export function rateText(rate: Rate | null): string {
  if (rate === null) return "–";
  return `${rate.k}/${rate.n} (${percent(rate.value)} %, ${percent(rate.low)}–${percent(rate.high)} %)`;
}

/** `58.0 %`; a dash where there is no data. */
export function meanPercent(mean: Mean | null): string {
  return mean === null ? "–" : `${percent(mean.value)} %`;
}

export function meanText(mean: Mean | null): string {
  return mean === null ? "–" : mean.value.toFixed(3);
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `1.2 MB`, in powers of 1000. */
export function bytesText(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${UNITS[step]}`;
}

/** `3 s`, `2 min 05 s`, `1 h 07 min`. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const pad = (n: number): string => String(n).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} min`;
}

export function countText(n: number, word: string): string {
  return `${n.toLocaleString("en-US")} ${word}${n === 1 ? "" : "s"}`;
}
