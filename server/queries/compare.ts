/** Two runs against each other: the pure comparison, fed from the store. */
import type { CompareAnswer, MetricComparison } from "@/server/compare/answer";
import { type ComparedRun, compareRuns } from "@/server/compare/compare-runs";
import type { ComparedRollout } from "@/server/compare/rollout-values";
import { metricVerdict } from "@/server/compare/verdict";
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { DEFAULT_SEED, FEWEST_TASKS } from "@/server/stats/bootstrap";
import { type Memo, memoOf } from "./memo";
import { type RunDirectory, readDirectory, requireRun } from "./run-directory";
import { summarise } from "./run-summary";

/** `auto`: pass and reward are decided on pairs when at least half of the smaller run pairs. */
export const PAIRING = ["auto", "paired", "unpaired"] as const;

export interface CompareInput {
  baseline: string;
  candidate: string;
  paired: (typeof PAIRING)[number];
  /** Epoch ms. */
  now: number;
}

const PAGE = 1000;

/** Throws `not_found`, and `invalid` for a run against itself. */
export async function compare(store: Store, input: CompareInput): Promise<CompareAnswer> {
  const directory = await readDirectory(store);
  if (directory.ownerOf(input.baseline) === directory.ownerOf(input.candidate)) {
    throw new CoalmineError("invalid", "baseline and candidate are the same run");
  }
  const memo = await memoOf(store);
  const baseline = await settingsOf(memo, directory, input.baseline, input.now);
  const candidate = await settingsOf(memo, directory, input.candidate, input.now);
  const answer = await memo.once(`compare ${JSON.stringify([baseline, candidate])}`, async () =>
    compareRuns(await withRollouts(store, baseline), await withRollouts(store, candidate), DEFAULT_SEED),
  );
  if (input.paired === "auto") return answer;
  return { ...answer, metrics: answer.metrics.map((metric) => decided(metric, input.paired === "paired")) };
}

/** A run's side but for its rollouts. */
type Side = Omit<ComparedRun, "rollouts"> & { labels: string[] };

async function settingsOf(memo: Memo, directory: RunDirectory, run: string, now: number): Promise<Side> {
  const { scope, span } = await requireRun(memo.store, run);
  const { id, name, missing, config } = await summarise(memo, directory, { scope, span, now });
  return { id, name, missing, config, labels: scope.labels };
}

async function withRollouts(store: Store, { labels, ...side }: Side): Promise<ComparedRun> {
  const rollouts: ComparedRollout[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.listRollouts({ runs: labels }, { limit: PAGE, cursor: cursor ?? null });
    for (const { task, index, verdict, family, reward } of page.items) {
      rollouts.push({ task, index, verdict, family, reward });
    }
    cursor = page.next;
  }
  return { ...side, rollouts };
}

/** The metric judged by the estimate that was asked for; one without it keeps its verdict. */
function decided(metric: MetricComparison, paired: boolean): MetricComparison {
  const estimate = paired ? metric.paired : metric.unpaired;
  if (metric.id === "infraRate" || estimate === null) return metric;
  const alike = paired ? (metric.paired?.discordant ?? null) : null;
  const allAgree = alike !== null && alike.b + alike.c === 0 && (metric.paired?.tasks ?? 0) >= FEWEST_TASKS;
  return { ...metric, decidedBy: paired ? "paired" : "unpaired", ...metricVerdict(estimate, allAgree) };
}
