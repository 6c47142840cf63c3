/** Two runs against each other: the pure comparison, fed from the store. */
import type { CompareAnswer, MetricComparison } from "@/server/compare/answer";
import { metricVerdict } from "@/server/compare/verdict";
import type { RunDirectory } from "@/server/derive/run-directory";
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { FEWEST_TASKS } from "@/server/stats/bootstrap";
import { heavyOf } from "./heavy";
import type { Side } from "./heavy-compare";
import { memoOf } from "./memo";
import { patienceOf } from "./patience";
import { readDirectory, requireRun } from "./run-directory";
import { PATIENCE_MS, summarise } from "./run-summary";

/** `auto`: pass and reward are decided on pairs when at least half of the smaller run pairs. */
export const PAIRING = ["auto", "paired", "unpaired"] as const;

export interface CompareInput {
  baseline: string;
  candidate: string;
  paired: (typeof PAIRING)[number];
  /** Wait for what is resampled; else the answer is `pending` without it when it takes longer. */
  whole?: boolean;
  /** Epoch ms. */
  now: number;
}

/** Throws `not_found`, and `invalid` for a run against itself. */
export async function compare(store: Store, input: CompareInput): Promise<CompareAnswer> {
  const directory = await readDirectory(store);
  if (directory.ownerOf(input.baseline) === directory.ownerOf(input.candidate)) {
    throw new CoalmineError("invalid", "baseline and candidate are the same run");
  }
  const baseline = await settingsOf(store, directory, input.baseline, input.now);
  const candidate = await settingsOf(store, directory, input.candidate, input.now);
  const memo = await memoOf(store, { runs: [...baseline.labels, ...candidate.labels] });
  const sides = { baseline, candidate };
  const ask = (name: "comparedRuns" | "comparedExactly") =>
    memo.once(`${name} ${JSON.stringify(sides)}`, () => heavyOf(store)[name](sides));
  const patience = patienceOf(input.whole ? Number.POSITIVE_INFINITY : PATIENCE_MS);
  const answer = (await patience.wait(ask("comparedRuns"))) ?? (await ask("comparedExactly"));
  if (input.paired === "auto" || answer.pending) return answer;
  return { ...answer, metrics: answer.metrics.map((metric) => decided(metric, input.paired === "paired")) };
}

async function settingsOf(store: Store, directory: RunDirectory, run: string, now: number): Promise<Side> {
  const { scope, span } = await requireRun(store, run);
  const memo = await memoOf(store, { runs: scope.labels });
  const { id, name, missing, config } = await summarise(memo, directory, { scope, span, now, patience: patienceOf(0) });
  return { id, name, missing, config, labels: scope.labels };
}

/** The metric judged by the estimate that was asked for; one without it keeps its verdict. */
function decided(metric: MetricComparison, paired: boolean): MetricComparison {
  const estimate = paired ? metric.paired : metric.unpaired;
  if (metric.id === "infraRate" || estimate === null) return metric;
  const alike = paired ? (metric.paired?.discordant ?? null) : null;
  const allAgree = alike !== null && alike.b + alike.c === 0 && (metric.paired?.tasks ?? 0) >= FEWEST_TASKS;
  return { ...metric, decidedBy: paired ? "paired" : "unpaired", ...metricVerdict(estimate, allAgree) };
}
