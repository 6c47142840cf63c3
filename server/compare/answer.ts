/**
 * What a comparison of a baseline run with a candidate answers. Fractions throughout; reward in its own unit.
 * Every difference is written so that **positive means the candidate is better**: baseline − candidate where less is
 * better (infra rate), candidate − baseline where more is (pass@1, reward).
 */
import type { FamilyCounts } from "@/server/domain/answers";
import type { Mean, Rate } from "@/server/domain/rate";
import type { ConfigValue } from "@/server/domain/rollout";

export type CompareVerdict = "better" | "worse" | "no_clear_change" | "too_little_data";

export type MetricId = "infraRate" | "passAt1" | "passAt1InfraExcluded" | "meanReward" | "meanRewardInfraExcluded";

export interface Judged {
  verdict: CompareVerdict;
  /** Why, in words. */
  reason: string;
}

/** A difference with its 95 % interval and two-sided p; null where the data give none. */
export interface Estimate {
  difference: number;
  low: number | null;
  high: number | null;
  p: number | null;
  /** How interval and p were made, e.g. `Newcombe hybrid score, Fisher exact`. */
  method: string;
}

export interface UnpairedEstimate extends Estimate {
  /** Newcombe and Fisher, which take all rollouts for independent; null for means. */
  naive: Estimate | null;
}

export interface PairedEstimate extends Estimate {
  pairs: number;
  tasks: number;
  /** Both sides over the pairs only. */
  baseline: number;
  candidate: number;
  /** Pairs that hold on one side only, for yes-or-no metrics: `b` in the baseline, `c` in the candidate. */
  discordant: { b: number; c: number } | null;
}

/** A rate (k of n) or a mean, with its interval, and the naive one where attempts of a task are alike. */
export interface MetricValue {
  value: Rate | Mean;
  method: string;
  naive: { low: number; high: number } | null;
}

export interface MetricComparison extends Judged {
  id: MetricId;
  title: string;
  better: "lower" | "higher";
  baseline: MetricValue | null;
  candidate: MetricValue | null;
  unpaired: UnpairedEstimate | null;
  paired: PairedEstimate | null;
  /** Which of the two the verdict is about. */
  decidedBy: "unpaired" | "paired";
}

export interface FamilyComparison {
  family: keyof FamilyCounts;
  baseline: Rate;
  candidate: Rate;
  /** Baseline − candidate, Newcombe; q corrects Fisher's p over the families that occurred. */
  difference: number;
  low: number;
  high: number;
  p: number;
  q: number;
}

export interface RunSide {
  id: string;
  name: string;
  /** Effective rollouts read, and those of them that finished: the denominator of the infra rate. */
  rollouts: number;
  finished: number;
  notScored: number;
  /** Planned without a record; null when the plan is not known. */
  missing: number | null;
  /** Infra-failed and missing of finished and missing; null when the plan is not known. */
  lost: Rate | null;
  /** pass@1 if all rollouts lost to infrastructure had failed, and if all had passed. */
  passAt1Bounds: [number, number] | null;
  tasks: number;
  designEffect: number | null;
}

export interface Pairs {
  /** Finished rollouts of both runs with the same task and index. */
  shared: number;
  /** Finished rollouts that found no partner. */
  baselineOnly: number;
  candidateOnly: number;
  /** Rollouts whose task and index occur more than once in their run: which belongs to which cannot be told. */
  ambiguous: number;
  tasks: number;
  /** At least half of the smaller run pairs: pass and reward are decided on pairs. */
  enough: boolean;
}

export interface Detectable {
  /** Smallest decrease of the infra rate from the baseline's that these sizes show with 80 % power; null if none. */
  decrease: number | null;
  increase: number | null;
  /** Rollouts per run to show the difference that was seen; null when it is 0 or would take more than 10 million. */
  neededPerRun: number | null;
  designEffect: number;
  formula: string;
}

/** What one run has for a key. */
export interface ConfigSide {
  /** What was asked for; null with `silent` when nothing was. */
  requested: ConfigValue;
  /** What Kubernetes says was set; null when not known. */
  effective: ConfigValue;
  /** Nobody asked for it: a default applied, known (`defaultValue`) or not. */
  silent: boolean;
  defaultValue: ConfigValue;
  /** Asked for one thing, got another. */
  overridden: boolean;
  /** Values with their rollouts where the run has several. */
  varying: { value: ConfigValue; n: number }[] | null;
}

export interface ConfigChange {
  key: string;
  baseline: ConfigSide;
  candidate: ConfigSide;
  /** The values that applied differ, as far as known. */
  differs: boolean;
  /** It can matter to the outcome: not an id, a path or a name. */
  matters: boolean;
}

export interface ConfigDiff {
  /** Keys that differ, that rest on a silent default on one side, or that were overridden. */
  changes: ConfigChange[];
  /** Keys that differ and can matter; more than one confound the comparison. */
  differing: string[];
  confounded: boolean;
  /** False when nothing is known of a run's config: then nothing can be said about confounds. */
  known: { baseline: boolean; candidate: boolean };
}

export interface TaskSide {
  rollouts: number;
  passed: number;
  infraFailed: number;
}

export interface TaskMovement {
  task: string;
  baseline: TaskSide;
  candidate: TaskSide;
  /** Candidate's share of passes − baseline's, as reported. */
  change: number;
  movement: "won" | "lost" | "same";
}

export interface CompareAnswer extends Judged {
  baseline: RunSide;
  candidate: RunSide;
  /** One sentence that can be quoted. */
  sentence: string;
  metrics: MetricComparison[];
  families: FamilyComparison[];
  pairs: Pairs;
  detectable: Detectable | null;
  config: ConfigDiff;
  /** Tasks in both runs, most moved first. */
  tasks: TaskMovement[];
  movement: { won: number; lost: number; same: number; baselineOnly: number; candidateOnly: number };
  /** What to know before quoting. */
  notes: string[];
  seed: number;
  resamples: number;
  /** Tasks are still being resampled: intervals and verdicts that need it are missing, so ask again. */
  pending?: boolean;
}
