/** What to change: findings of one run, or of the newest ones. */
import { classInfo } from "@/server/classify/taxonomy";
import type { RunScope } from "@/server/derive/run-directory";
import type { List, RunSummary } from "@/server/domain/answers";
import type { Store } from "@/server/domain/store";
import type { ClassFacts, ConfigFacts, Finding, FindingInput, NodeFacts } from "@/server/findings/finding";
import { findingsOf, inOrder } from "@/server/findings/list";
import { configOfRun } from "./config-of-run";
import { findingSamples, type Samples } from "./finding-samples";
import type { BareFleetTest } from "./heavy-nodes";
import { listRuns } from "./list-runs";
import { type Memo, memoOf } from "./memo";
import { nodeTest } from "./node-test";
import { defaultOrigins } from "./origins";
import { type Patience, patienceOf } from "./patience";
import { readDirectory, requireRun } from "./run-directory";
import { CONFIG_DIMS, runNumbers } from "./run-numbers";
import { summarise } from "./run-summary";
import { tallyBy } from "./tally";

/** Runs whose findings are shown together when no run is named. */
const NEWEST = 8;
/** ms to wait for what is resampled and tested; the test over all runs takes a second or two. */
const PATIENCE_MS = 1500;

/** `pending`: nodes are still being tested, or figures resampled; findings about them may be missing, so ask again. */
export type FindingsAnswer = List<Finding> & { pending?: boolean };

export interface FindingsInput {
  run?: string;
  /** Epoch ms. */
  now: number;
  /** Seconds after which a canary saw the server close an idle socket; null or absent when none looked. */
  measuredIdleS?: number | null;
}

/** Without a run those of the newest runs, worst first. Throws `not_found`. */
export async function findings(store: Store, input: FindingsInput): Promise<FindingsAnswer> {
  const patience = patienceOf(PATIENCE_MS);
  if (input.run !== undefined) return ofRun(store, input.run, input, patience);
  const page = { limit: NEWEST, cursor: null };
  const runs = await listRuns(store, { origins: await defaultOrigins(store), page, now: input.now });
  const each = await Promise.all(runs.items.map((run) => ofRun(store, run.id, input, patience)));
  const pending = each.some((one) => one.pending) ? { pending: true } : {};
  return { items: inOrder(each.flatMap((one) => one.items)), next: null, ...pending };
}

async function ofRun(
  store: Store,
  run: string,
  { now, measuredIdleS: told = null }: FindingsInput,
  patience: Patience,
): Promise<FindingsAnswer> {
  const { scope, span } = await requireRun(store, run);
  const directory = await readDirectory(store);
  const memo = await memoOf(store, { runs: scope.labels });
  const fleet = await memoOf(store, { mayBeOld: true });
  const summary = await summarise(memo, directory, { scope, span, now, patience });
  const inRun = await patience.wait(nodeTest(memo, directory, { runs: scope.labels }));
  const acrossRuns = await patience.wait(nodeTest(fleet, directory, { origins: [summary.origin] }));
  const nodes = { inRun: nodeFacts(inRun), acrossRuns: nodeFacts(acrossRuns) };
  // Nobody's canary looks at a made-up server.
  const measuredIdleS = summary.origin === "demo" ? null : told;
  const pending = summary.pending || inRun === null || acrossRuns === null;
  const items = findingsOf({ ...(await inputOf(memo, scope, summary)), nodes, measuredIdleS });
  return { items, next: null, ...(pending ? { pending: true } : {}) };
}

async function inputOf(memo: Memo, scope: RunScope, run: RunSummary): Promise<Omit<FindingInput, "nodes">> {
  const { samples, classes } = await memo.once(`finding-classes ${JSON.stringify(scope.labels)}`, async () => {
    const samples = await findingSamples(memo.store, scope.labels);
    return { samples, classes: await classFacts(memo.store, scope.labels, samples) };
  });
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
    classes,
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
  const counted = await store.countIncidents({ runs }, ["class"], { hits: false });
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

function nodeFacts(fleet: BareFleetTest | null): NodeFacts[] {
  return (fleet?.nodes ?? []).map(({ node, verdict, infraFailed, expected, sentence }) => ({
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
