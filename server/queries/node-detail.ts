/** One node: what happened there over time, what the test over all nodes says of it, and what its cluster says. */
import type { TimeBucket } from "@/server/domain/answers";
import { CoalmineError } from "@/server/domain/errors";
import type { NodeDetail, NodeStratum } from "@/server/domain/node-detail";
import type { RolloutDim, RolloutFilter, Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import type { FleetTest, NodeTest } from "@/server/stats/node-outliers";
import { smallestExcess } from "@/server/stats/node-power";
import { classCounts } from "./class-counts";
import { iso } from "./iso";
import { type Memo, memoOf } from "./memo";
import { nodeEvidence } from "./node-evidence";
import { judgementOf, NODE_TEST_DIMS, nodeCounts, nodeTest } from "./node-test";
import { defaultOrigins } from "./origins";
import { labelsFor, type RunDirectory, readDirectory } from "./run-directory";
import { dimOf, emptyTally, infraRate, tallyBy } from "./tally";

export interface NodeDetailInput {
  node: string;
  runs?: string[];
  origins?: Origin[];
  /** Epoch ms, `from` inclusive, `to` exclusive. */
  from?: number;
  to?: number;
}

const HOUR_MS = 3_600_000;
/** The newest week, as the heatmap of all nodes. */
const MOST_HOURS = 168;
const TIME_DIMS: RolloutDim[] = ["bucket", "verdict", "family"];

/** Throws `not_found` for a node that no evidence names. Judged together with all nodes of the filter. */
export async function nodeDetail(store: Store, input: NodeDetailInput): Promise<NodeDetail> {
  const directory = await readDirectory(store);
  const runs = labelsFor(directory, input.runs);
  const origins = input.origins ?? (runs ? undefined : await defaultOrigins(store));
  const filter: RolloutFilter = { runs, origins, from: input.from, to: input.to };
  const memo = await memoOf(store);
  const aliases = directory.settings.map((one) => [one.id, one.aliases]);
  return memo.once(`node ${JSON.stringify([input.node, filter, aliases])}`, (strict) =>
    answer(strict, directory, input.node, filter),
  );
}

async function answer(memo: Memo, directory: RunDirectory, node: string, filter: RolloutFilter): Promise<NodeDetail> {
  const { store } = memo;
  const rows = (await nodeCounts(memo, filter)).filter((row) => dimOf(row, NODE_TEST_DIMS, "node") === node);
  if (rows.length === 0 && !(await store.nodes({})).includes(node)) {
    throw new CoalmineError("not_found", `There is no node "${node}".`);
  }
  const here = { ...filter, nodes: [node] };
  const fleet = await nodeTest(memo, directory, filter);
  const test = fleet.nodes.find((one) => one.node === node);
  const tally = tallyBy(rows, NODE_TEST_DIMS, "node").get(node) ?? emptyTally();
  const classes = await classCounts(store, here);
  const infra = classes.filter((one) => one.family !== "none");
  const newest = await store.listRollouts(here, { limit: 1, cursor: null });
  const timeline = await timelineOf(store, here);
  return {
    node,
    rollouts: tally.rollouts,
    infraFailed: infraRate(tally),
    expected: test?.expected ?? null,
    byFamily: tally.byFamily,
    incidents: infra.reduce((sum, one) => sum + one.incidents, 0),
    absorbed: infra.reduce((sum, one) => sum + one.absorbed, 0),
    runs: new Set(rows.map((row) => runOf(dimOf(row, NODE_TEST_DIMS, "run"), directory))).size,
    lastAt: iso(newest.items[0]?.at ?? null),
    hours: timeline.map(hourOf),
    ...judgementOf(test),
    ...testOf(test, fleet),
    classes,
    timeline,
    ...(await nodeEvidence(store, directory, node, here, newest.items[0]?.cluster ?? null)),
    commands: commandsFor(node),
    check: { plan: "node-check", options: { suspect: node } },
  };
}

function runOf(label: string | null, directory: RunDirectory): string | null {
  return label === null ? null : directory.ownerOf(label);
}

function testOf(test: NodeTest | undefined, fleet: FleetTest) {
  const shared = { tested: fleet.nodes.length, fleetWide: fleet.fleetWide };
  if (!test) {
    const sentence = "No finished rollout is known to have run there, so nothing can be said of it.";
    return { ...shared, strata: [], families: [], burst: null, attribution: null, smallestExcess: null, sentence };
  }
  const { families, burst, attribution } = test;
  const sentence = `${test.sentence} p = ${small(test.p)}; corrected for ${fleet.nodes.length} nodes q = ${small(test.q)}.`;
  const power = smallestExcess(test, fleet.nodes.length);
  return {
    ...shared,
    strata: test.strata.map(stratumOf),
    families,
    burst,
    attribution,
    smallestExcess: power,
    sentence,
  };
}

/** Two digits, however small. */
function small(p: number): string {
  return p >= 0.1 ? p.toFixed(2) : p < 1e-6 ? p.toExponential(0) : String(Number(p.toPrecision(2)));
}

function stratumOf({ name, rollouts, failures, here, seen }: NodeTest["strata"][number]): NodeStratum {
  const [run = null, configKey = null] = JSON.parse(name) as (string | null)[];
  return { run, configKey, rollouts, failures, here, seen };
}

async function timelineOf(store: Store, filter: RolloutFilter): Promise<TimeBucket[]> {
  const rows = await store.countRollouts(filter, TIME_DIMS, { bucketMs: HOUR_MS });
  return [...tallyBy(rows, TIME_DIMS, "bucket")]
    .flatMap(([at, tally]) => (at === null ? [] : [{ at: Number(at), tally }]))
    .sort((a, b) => a.at - b.at)
    .slice(-MOST_HOURS)
    .map(({ at, tally }) => ({ at: iso(at), well: tally.rollouts - tally.infraFailed, byFamily: tally.byFamily }));
}

function hourOf({ at, well, byFamily }: TimeBucket): NodeDetail["hours"][number] {
  const infraFailed = Object.values(byFamily).reduce((sum, n) => sum + n, 0);
  return { at, rollouts: well + infraFailed, infraFailed };
}

function commandsFor(node: string): NodeDetail["commands"] {
  const name = /^[\w.-]+$/.test(node) ? node : `'${node.replaceAll("'", "'\\''")}'`;
  return {
    cordon: `kubectl cordon ${name}`,
    drain: `kubectl drain ${name} --ignore-daemonsets --delete-emptydir-data`,
    taint: `kubectl taint nodes ${name} coalmine=suspect:NoSchedule`,
    uncordon: `kubectl uncordon ${name}`,
  };
}
