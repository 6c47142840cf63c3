/** What to change: findings of one run, or of the newest ones. */
import { classInfo } from "@/server/classify/taxonomy";
import type { List, RunSummary } from "@/server/domain/answers";
import type { Store } from "@/server/domain/store";
import type { ClassFacts, ConfigFacts, Finding, FindingInput, NodeFacts } from "@/server/findings/finding";
import { findingsOf, inOrder } from "@/server/findings/list";
import type { FleetTest } from "@/server/stats/node-outliers";
import { configOfRun } from "./config-of-run";
import { findingSamples, type Samples } from "./finding-samples";
import { listRuns } from "./list-runs";
import { type Memo, memoOf } from "./memo";
import { nodeTest } from "./node-test";
import { defaultOrigins } from "./origins";
import { type RunDirectory, type RunScope, readDirectory, requireRun } from "./run-directory";
import { CONFIG_DIMS, runNumbers } from "./run-numbers";
import { summarise } from "./run-summary";
import { tallyBy } from "./tally";

/** Runs whose findings are shown together when no run is named. */
const NEWEST = 8;

export interface FindingsInput {
  run?: string;
  /** Epoch ms. */
  now: number;
  /** Seconds after which a canary saw the server close an idle socket; null or absent when none looked. */
  measuredIdleS?: number | null;
}

/** Without a run those of the newest runs, worst first. Throws `not_found`. */
export async function findings(store: Store, input: FindingsInput): Promise<List<Finding>> {
  if (input.run !== undefined) return { items: await ofRun(store, input.run, input), next: null };
  const page = { limit: NEWEST, cursor: null };
  const runs = await listRuns(store, { origins: await defaultOrigins(store), page, now: input.now });
  const each = await Promise.all(runs.items.map((run) => ofRun(store, run.id, input)));
  return { items: inOrder(each.flat()), next: null };
}

async function ofRun(
  store: Store,
  run: string,
  { now, measuredIdleS: told = null }: FindingsInput,
): Promise<Finding[]> {
  const { scope, span } = await requireRun(store, run);
  const directory = await readDirectory(store);
  const memo = await memoOf(store);
  const summary = await summarise(memo, directory, { scope, span, now });
  const { config, endedAt, planned, missing } = summary;
  // Nobody's canary looks at a made-up server.
  const measuredIdleS = summary.origin === "demo" ? null : told;
  const key = JSON.stringify([scope.labels, config, endedAt, planned, missing, measuredIdleS]);
  return memo.once(`findings ${key}`, async (strict) =>
    findingsOf({ ...(await inputOf(strict, directory, scope, summary)), measuredIdleS }),
  );
}

async function inputOf(memo: Memo, directory: RunDirectory, scope: RunScope, run: RunSummary): Promise<FindingInput> {
  const [samples, inRun, acrossRuns] = await Promise.all([
    findingSamples(memo.store, scope.labels),
    nodeTest(memo, directory, { runs: scope.labels }),
    nodeTest(memo, directory, { origins: [run.origin] }),
  ]);
  return {
    run: run.id,
    ended: run.endedAt !== null,
    rollouts: run.rollouts,
    finished: run.infraFailed?.n ?? 0,
    planned: run.planned,
    missing: run.missing,
    missingListed: (await runNumbers(memo, scope.labels)).materialised.planned > 0,
    unattributed: run.unattributed,
    infraFailed: run.infraFailed,
    unknownShare: run.unknownShare,
    passAt1: run.passAt1.infraExcluded?.value ?? null,
    valid: run.valid,
    config: await configFacts(memo, scope),
    measuredIdleS: null,
    transportFellBack: samples.transportFellBack,
    classes: await classFacts(memo.store, scope.labels, samples),
    nodes: { inRun: nodeFacts(inRun), acrossRuns: nodeFacts(acrossRuns) },
  };
}

async function configFacts(memo: Memo, scope: RunScope): Promise<ConfigFacts> {
  const { configs } = await runNumbers(memo, scope.labels);
  const { config, byKey } = await configOfRun(memo, scope, configs);
  const each = [...tallyBy(configs, CONFIG_DIMS, "configKey")].map(([key, tally]) => ({
    values: byKey.get(key) ?? config.common,
    rollouts: tally.rollouts,
    byFamily: tally.byFamily,
  }));
  return { common: config.common, varying: config.varying, effective: config.effective, each };
}

async function classFacts(store: Store, runs: string[], samples: Samples): Promise<ClassFacts[]> {
  const counted = await store.countIncidents({ runs }, ["class"]);
  const ended = await store.countRollouts({ runs, verdicts: ["infra_failed"] }, ["class"]);
  const rollouts = new Map(ended.map((row) => [row.key[0], row.n]));
  const rows = new Map(counted.map((row) => [row.key[0], row]));
  const ids = [...new Set([...rows.keys(), ...rollouts.keys()])].filter((id): id is string => id != null);
  return ids.map((id) => {
    const { title, family, owner } = classInfo(id);
    const row = rows.get(id);
    return {
      class: id,
      title,
      family,
      owner,
      incidents: row?.incidents ?? 0,
      fatal: row?.fatal ?? 0,
      absorbed: row?.absorbed ?? 0,
      teardown: row?.teardown ?? 0,
      unknown: row?.unknown ?? 0,
      rollouts: rollouts.get(id) ?? 0,
      samples: samples.byClass.get(id) ?? [],
    };
  });
}

function nodeFacts(fleet: FleetTest): NodeFacts[] {
  return fleet.nodes.map(({ node, verdict, infraFailed, expected, sentence }) => ({
    node,
    verdict,
    rollouts: infraFailed.n,
    failures: infraFailed.k,
    expected,
    low: infraFailed.low,
    high: infraFailed.high,
    sentence,
  }));
}
