/** From a difference to a word, and to one sentence that a non-statistician can quote. */
import type { Rate } from "@/server/domain/rate";
import { percent, points } from "@/server/stats/percent";
import type { CompareVerdict, ConfigDiff, Detectable, Estimate, Judged } from "./answer";

/** Smallest difference of the infra rate that is called better or worse. */
const LEAST = 0.02;
/** An interval wider than this on either side decides nothing. */
const WIDEST_HALF = 0.05;
/** 2 points stay 2 points, whatever floating point says. */
const ROUNDING = 1e-9;

/** The unpaired infra rate: better or worse when the interval excludes 0 and the difference is at least 2 points. */
export function headlineVerdict(estimate: Estimate | null): Judged {
  return judged(estimate, LEAST);
}

/** Pass and reward: the interval decides. `allPairsAgree`: no pair differs, so that there is no spread for an interval. */
export function metricVerdict(estimate: Estimate | null, allPairsAgree: boolean): Judged {
  if (allPairsAgree) return { verdict: "no_clear_change", reason: "No pair differs." };
  return judged(estimate, 0);
}

function judged(estimate: Estimate | null, least: number): Judged {
  if (estimate === null) return { verdict: "too_little_data", reason: "One of the runs has no rollout that counts." };
  const { difference, low, high } = estimate;
  if (low === null || high === null) {
    return { verdict: "too_little_data", reason: "Too few tasks, or tasks too alike, for an interval." };
  }
  const clear = low > 0 || high < 0;
  if (clear && Math.abs(difference) >= least - ROUNDING) {
    return { verdict: difference > 0 ? "better" : "worse", reason: "The 95 % interval of the difference excludes 0." };
  }
  if ((high - low) / 2 > WIDEST_HALF) {
    return { verdict: "too_little_data", reason: "The interval is wider than 5 points to either side." };
  }
  const small = `The difference is below ${points(least)}.`;
  return { verdict: "no_clear_change", reason: clear ? small : "The 95 % interval of the difference includes 0." };
}

export interface HeadlineInput {
  /** Null while it takes resampling that is not done. */
  verdict: CompareVerdict | null;
  baseline: Rate | null;
  candidate: Rate | null;
  estimate: Estimate | null;
  /** Of the tasks, when the interval had to take it into account; else null. */
  clusteredBy: number | null;
  config: ConfigDiff;
  detectable: Detectable | null;
}

export function headlineSentence(input: HeadlineInput): string {
  const { baseline, candidate, estimate, verdict } = input;
  if (baseline !== null && candidate !== null && verdict === null)
    return `Being compared: ${counted(baseline)} of rollouts lost to infrastructure against ${counted(candidate)}; tasks are being resampled to tell whether that is chance.`;
  if (baseline === null || candidate === null || estimate === null || verdict === null) {
    const empty = baseline === null ? "baseline" : "candidate";
    return `Too little data: no rollout of the ${empty} has finished.`;
  }
  return `${body(verdict, baseline, candidate, estimate, input.detectable)}${clustering(input.clusteredBy)}${confounds(input.config)}.`;
}

function body(
  verdict: CompareVerdict,
  baseline: Rate,
  candidate: Rate,
  estimate: Estimate,
  detectable: Detectable | null,
): string {
  const [from, to] = [counted(baseline), counted(candidate)];
  const size = points(estimate.difference);
  if (verdict === "better")
    return `Better: rollouts lost to infrastructure fell from ${from} to ${to}, ${size} fewer (${range(estimate)})`;
  if (verdict === "worse")
    return `Worse: rollouts lost to infrastructure rose from ${from} to ${to}, ${size} more (${range(estimate)})`;
  const seen = `${from} of rollouts lost to infrastructure against ${to}, ${size} apart (${range(estimate)})`;
  if (verdict === "no_clear_change") return `No clear change: ${seen}`;
  const needed = detectable?.neededPerRun ?? null;
  return `Too little data: ${seen}${needed === null ? "" : `; about ${Number(needed.toPrecision(2))} rollouts per run would show such a difference`}`;
}

function counted(rate: Rate): string {
  return `${percent(rate.value)} (${rate.k} of ${rate.n})`;
}

/** The interval as fewer or more, so that its signs need no convention. */
function range({ low, high }: Estimate): string {
  if (low === null || high === null) return "no interval";
  const side = (x: number): string => `${points(x)} ${x >= 0 ? "fewer" : "more"}`;
  const both = low >= 0 === high >= 0;
  if (!both) return `95 % interval: ${side(low)} to ${side(high)}`;
  const [near, far] = low >= 0 ? [low, high] : [high, low];
  return `95 % interval: ${(Math.abs(near) * 100).toFixed(1)} to ${points(far)}`;
}

function clustering(designEffect: number | null): string {
  if (designEffect === null) return "";
  return `; attempts of one task fail alike (design effect ${designEffect.toFixed(1)}), so the interval resamples tasks`;
}

function confounds(config: ConfigDiff): string {
  return config.confounded ? `; confounded by: ${config.differing.join(", ")}` : "";
}
