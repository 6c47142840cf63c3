/** A comparison's numbers as text. Pure. */
import { count, percent } from "@/app/_ui/format";
import type { CompareVerdict, Estimate, MetricComparison, MetricId, MetricValue } from "@/server/compare/answer";
import type { Paired } from "./compare-parsers";

export const VERDICT_WORD: Record<CompareVerdict, string> = {
  better: "better",
  worse: "worse",
  no_clear_change: "no clear change",
  too_little_data: "too little data",
};

export const VERDICT_TONE = {
  better: "good",
  worse: "bad",
  no_clear_change: "plain",
  too_little_data: "plain",
} as const;

/** Rewards are shown in their own unit, all else as percentages. */
export function isReward(id: MetricId): boolean {
  return id === "meanReward" || id === "meanRewardInfraExcluded";
}

export function valueText(id: MetricId, value: number): string {
  return isReward(id) ? value.toFixed(3) : percent(value);
}

/** `41/316 · 9.7–17.1 %`, `125 tasks · 52.4–63.6 %`, `275 rollouts · 0.594–0.702` */
export function sizeText(metric: MetricComparison, side: MetricValue): string {
  const { value } = side;
  const size =
    "k" in value
      ? `${count(value.k)}/${count(value.n)}`
      : `${count(value.n)} ${isReward(metric.id) ? "rollouts" : "tasks"}`;
  if (value.low === null || value.high === null) return size;
  const low = isReward(metric.id) ? value.low.toFixed(3) : (value.low * 100).toFixed(1);
  return `${size} · ${low}–${valueText(metric.id, value.high)}`;
}

/** Where an estimate's sign is turned into words, so that no convention has to be known. */
export interface Unit {
  /** What a positive difference means, e.g. `fewer`. */
  positive: string;
  negative: string;
  text(size: number): string;
}

export function unitOf(metric: Pick<MetricComparison, "id" | "better">): Unit {
  const lower = metric.better === "lower";
  const text = isReward(metric.id)
    ? (size: number) => size.toFixed(3)
    : (size: number) => `${(size * 100).toFixed(1)} points`;
  return { positive: lower ? "fewer" : "more", negative: lower ? "more" : "less", text };
}

/** `6.4 points fewer` */
export function differenceText(difference: number, unit: Unit): string {
  const size = unit.text(Math.abs(difference));
  if (size === unit.text(0)) return "the same";
  return `${size} ${difference > 0 ? unit.positive : unit.negative}`;
}

/** `1.6 to 11.1 points fewer`; over zero `2.5 points more to 2.7 points fewer`. */
export function intervalText({ low, high }: Pick<Estimate, "low" | "high">, unit: Unit): string {
  if (low === null || high === null) return "no interval";
  const word = (x: number) => (x >= 0 ? unit.positive : unit.negative);
  if (low < 0 !== high < 0)
    return `${unit.text(Math.abs(low))} ${word(low)} to ${unit.text(Math.abs(high))} ${word(high)}`;
  const [near, far] = low >= 0 ? [low, high] : [-high, -low];
  return `${unit.text(near).replace(" points", "")} to ${unit.text(far)} ${word(low)}`;
}

/** `p 0.0096`; `p < 0.001` */
export function pText(p: number | null): string {
  if (p === null) return "";
  return p < 0.001 ? "p < 0.001" : `p ${p < 0.1 ? p.toPrecision(2) : p.toFixed(2)}`;
}

export interface ShownEstimate {
  estimate: Estimate;
  on: "pairs" | "all";
  /** Pairs it rests on; null for all rollouts. */
  pairs: number | null;
}

/** The difference that a row shows: what the verdict is about, or what the reader asked for where there is one. */
export function shownEstimate(metric: MetricComparison, wanted: Paired): ShownEstimate | null {
  const paired = wanted === "paired" || (wanted === "auto" && metric.decidedBy === "paired");
  if (paired && metric.paired !== null) return { estimate: metric.paired, on: "pairs", pairs: metric.paired.pairs };
  if (metric.unpaired !== null) return { estimate: metric.unpaired, on: "all", pairs: null };
  return null;
}

/** The word with which the sentence begins, set apart from the rest; none when the sentence begins otherwise. */
export function headline(sentence: string): { word: string; rest: string } {
  const end = sentence.indexOf(":");
  return end < 0 || end > 20
    ? { word: "", rest: sentence }
    : { word: sentence.slice(0, end), rest: sentence.slice(end) };
}
