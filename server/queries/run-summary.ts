/** One run in numbers: what infrastructure took from it, by what, and whether it is a valid measurement. */

import type { RunDirectory, RunScope } from "@/server/derive/run-directory";
import type { RunSummary } from "@/server/domain/answers";
import type { FlatConfig } from "@/server/domain/rollout";
import type { RunSettings } from "@/server/domain/run";
import type { RolloutCount, Store } from "@/server/domain/store";
import { wilson } from "@/server/stats/proportion";
import { type ConfigOfRun, configOfRun } from "./config-of-run";
import { iso } from "./iso";
import { type Memo, memoOf } from "./memo";
import { memoryLimit } from "./memory-limit";
import { nodeTest } from "./node-test";
import { type Patience, patienceOf } from "./patience";
import { type RunSpan, readDirectory, requireRun } from "./run-directory";
import { CONFIG_DIMS, type RunNumbers, runNumbers, scoresOf } from "./run-numbers";
import type { RunScores } from "./run-scores";
import { runValidity } from "./run-validity";
import { sentenceOfRun } from "./sentence-run";
import { dimOf, infraRate } from "./tally";

/** A run whose newest evidence is older than this has ended, if nobody said when. */
const SILENCE_MS = 3_600_000;

/** A question about runs waits so many ms for what is resampled, and answers without it then. */
export const PATIENCE_MS = 500;

/**
 * `now` in epoch ms. Throws `not_found`. An alias answers with the run that it belongs to. `whole` waits for everything;
 * else what takes longer is null, and `pending` says so.
 */
export async function runSummary(
  store: Store,
  input: { run: string; now: number; whole?: boolean },
): Promise<RunSummary> {
  const { scope, span } = await requireRun(store, input.run);
  const memo = await memoOf(store, { runs: scope.labels });
  const patience = patienceOf(input.whole ? Number.POSITIVE_INFINITY : PATIENCE_MS);
  return summarise(memo, await readDirectory(store), { scope, span, now: input.now, patience });
}

export interface KnownRun {
  scope: RunScope;
  /** Null for a run that only settings name. */
  span: RunSpan | null;
  now: number;
}

const NO_SCORES: RunScores = {
  passAt1: { asReported: null, infraExcluded: null, bounds: null },
  meanReward: { asReported: null, infraExcluded: null },
};

/** `memo` must be of the run's labels. */
export async function summarise(
  memo: Memo,
  directory: RunDirectory,
  { scope, span, now, patience }: KnownRun & { patience: Patience },
): Promise<RunSummary> {
  const [scored, tested] = [scoresOf(memo, scope.labels), nodeTest(memo, directory, { runs: scope.labels })];
  // Both are awaited below; what fails until then must not be taken for forgotten.
  for (const asked of [scored, tested]) asked.catch(() => undefined);
  const numbers = await runNumbers(memo, scope.labels);
  const config = await configOfRun(memo, scope, numbers.configs);
  const infraFailed = infraRate(numbers.tally);
  const unknownShare = wilson(numbers.unknown, numbers.tally.finished);
  const plan = planOf(numbers, scope.settings, span, now);
  const [scores, fleet] = await Promise.all([patience.wait(scored), patience.wait(tested)]);
  const told = sentenceOfRun({
    rollouts: numbers.tally.rollouts,
    planned: plan.planned,
    infraFailed,
    byFamily: numbers.tally.byFamily,
    oomLimit: oomLimit(config, numbers.configs),
    missing: plan.missing,
    notFinished: plan.notFinished,
    notScored: numbers.notScored,
    unknown: numbers.unknown,
    passAt1: (scores ?? NO_SCORES).passAt1,
  });
  return {
    ...saidOf(scope),
    origin: span?.origin ?? "fleet",
    startedAt: iso(span?.firstAt ?? null),
    endedAt: iso(plan.endedAt),
    config: config.config,
    planned: plan.planned,
    rollouts: numbers.tally.rollouts,
    notFinished: plan.notFinished,
    missing: plan.missing,
    notScored: numbers.notScored,
    masked: numbers.masked,
    unattributed: numbers.withoutNode,
    infraFailed,
    byFamily: numbers.tally.byFamily,
    absorbed: numbers.absorbed,
    unknownShare,
    ...(scores ?? NO_SCORES),
    nodes: numbers.nodes,
    suspectNodes: fleet?.suspects ?? [],
    valid: runValidity(infraFailed, unknownShare),
    ...told,
    ...(scores === null || fleet === null ? { pending: true } : {}),
  };
}

/** What a person or a harness said of the run. */
function saidOf(scope: RunScope): Pick<RunSummary, "id" | "name" | "labels" | "notes" | "aliases"> {
  return {
    id: scope.id,
    name: scope.settings?.name ?? scope.id,
    labels: scope.settings?.labels ?? {},
    notes: scope.settings?.notes ?? null,
    aliases: scope.labels.slice(1),
  };
}

interface PlanState {
  planned: number | null;
  missing: number | null;
  notFinished: number | null;
  endedAt: number | null;
}

/** Planned = materialised inputs, else what was said, else null. Missing only once the run has ended; before, not finished. */
function planOf(numbers: RunNumbers, settings: RunSettings | null, span: RunSpan | null, now: number): PlanState {
  const last = span?.lastAt ?? span?.receivedAt ?? null;
  const silent = last !== null && now - last > SILENCE_MS;
  const endedAt = settings?.endedAt ?? (silent ? last : null);
  const { planned, missing } = numbers.materialised;
  const said = settings?.planned ?? null;
  const open = planned > 0 ? missing : said === null ? null : Math.max(0, said - numbers.tally.rollouts);
  return {
    planned: planned > 0 ? planned : said,
    missing: open === null ? null : endedAt === null ? 0 : open,
    notFinished: open === null ? null : endedAt === null ? open : 0,
    endedAt,
  };
}

/** The memory limit that all configs with a rollout out of memory share, in bytes; else null. */
function oomLimit(config: ConfigOfRun, counts: readonly RolloutCount[]): number | null {
  const hit = counts.filter((row) => dimOf(row, CONFIG_DIMS, "family") === "oom");
  const limits = new Set(hit.map((row) => limitOf(config, dimOf(row, CONFIG_DIMS, "configKey"))));
  const [only] = limits;
  return limits.size === 1 && only !== undefined ? only : null;
}

function limitOf(config: ConfigOfRun, key: string | null): number | null {
  const settings: FlatConfig = { ...(config.byKey.get(key) ?? config.config.common), ...config.config.effective };
  return memoryLimit(settings);
}
