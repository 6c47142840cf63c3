/** Where the steps of a cycle lie on its line. Pure. */
import type { CanaryStep } from "@/server/domain/canary";
import type { LiveCycle } from "./canary-log";

export interface PlacedStep {
  step: CanaryStep;
  x: number;
  width: number;
}

/** Steps that are too short to be seen are drawn this wide. */
const LEAST_PX = 2;

export function beganAt(cycle: LiveCycle): number {
  const first = cycle.steps[0]?.at ?? cycle.end?.at;
  return first === undefined ? 0 : Date.parse(first);
}

/** From the first step's begin to the last one's end, ms. */
export function tookMs(cycle: LiveCycle): number {
  const ends = cycle.steps.map((step) => Date.parse(step.at) + step.ms);
  return Math.max(cycle.end?.ms ?? 0, ...ends.map((end) => end - beganAt(cycle)), 0);
}

/** On a line of `width` px that stands for `spanMs`. */
export function placeSteps(cycle: LiveCycle, spanMs: number, width: number): PlacedStep[] {
  const began = beganAt(cycle);
  const scale = spanMs > 0 ? width / spanMs : 0;
  return cycle.steps.map((step) => {
    const wide = Math.max(LEAST_PX, step.ms * scale);
    const x = Math.min(width - wide, Math.max(0, (Date.parse(step.at) - began) * scale));
    return { step, x: round(Math.max(0, x)), width: round(Math.min(width, wide)) };
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Failed ones first, then the newest; at most `most`. */
export function worthSeeing(cycles: readonly LiveCycle[], most: number): LiveCycle[] {
  const bad = cycles.filter((cycle) => cycle.steps.some((step) => !step.ok));
  const good = cycles.filter((cycle) => !bad.includes(cycle));
  return [...bad.slice(-most), ...good.slice(-Math.max(0, most - bad.length)).slice(0, Math.max(0, most - bad.length))];
}
