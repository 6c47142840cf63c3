/** One node: what happened there over time, what the test over all nodes says of it, and what its cluster says. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { TimeBucket } from "@/server/domain/answers";
import { CoalmineError } from "@/server/domain/errors";
import type { NodeDetail, NodeStratum } from "@/server/domain/node-detail";
import type { RolloutDim, RolloutFilter, Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import type { NodeTest } from "@/server/stats/node-outliers";
import { smallestExcess } from "@/server/stats/node-power";
import { classCounts } from "./class-counts";
import type { BareFleetTest, BareNodeTest } from "./heavy-nodes";
import { iso } from "./iso";
import { memoOf } from "./memo";
import { nodeEvidence } from "./node-evidence";
import { judgementOf, nodeTest, strataOf } from "./node-test";
import { defaultOrigins } from "./origins";
import { patienceOf } from "./patience";
import { labelsFor, readDirectory } from "./run-directory";
import { emptyTally, infraRate, tallyBy } from "./tally";

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
/** A test over all that ever ran takes a second or two. */
const PATIENCE_MS = 1500;
const FAMILY_DIMS: RolloutDim[] = ["node", "verdict", "family"];
const TIME_DIMS: RolloutDim[] = ["bucket", "verdict", "family"];

/** Throws `not_found` for a node that no evidence names. Judged together with all nodes of the filter. */
export async function nodeDetail(store: Store, input: NodeDetailInput): Promise<NodeDetail> {
  const directory = await readDirectory(store);
  const runs = labelsFor(directory, input.runs);
  const origins = input.origins ?? (runs ? undefined : await defaultOrigins(store));
  const filter: RolloutFilter = { runs, origins, from: input.from, to: input.to };
  const memo = await memoOf(store, { mayBeOld: runs === undefined, runs });
  const patience = patienceOf(PATIENCE_MS);
  const tested = nodeTest(memo, directory, filter);
  tested.catch(() => undefined);
  const aliases = directory.settings.map((one) => [one.id, one.aliases]);
  const known = await memo.once(`node ${JSON.stringify([input.node, filter, aliases])}`, () =>
    counted(store, directory, input.node, filter),
  );
  const fleet = await patience.wait(tested);
  const node = fleet?.nodes.find((one) => one.node === input.node);
  const strata = node ? await patience.wait(strataOf(memo, directory, filter, input.node)) : [];
  if (fleet === null || strata === null)
    return { ...known, ...judgementOf(undefined), ...UNTESTED, sentence: TESTING, pending: true };
  return { ...known, expected: node?.expected ?? null, ...judgementOf(node), ...testOf({ node, strata, fleet }) };
}

type Judged = { node: BareNodeTest | undefined; strata: NodeTest["strata"]; fleet: BareFleetTest };

/** What is counted, before the node is judged. */
async function counted(store: Store, directory: RunDirectory, node: string, filter: RolloutFilter) {
  const here = { ...filter, nodes: [node] };
  const rows = await store.countRollouts(here, FAMILY_DIMS);
  if (rows.length === 0 && !(await store.nodes({})).includes(node)) {
    throw new CoalmineError("not_found", `There is no node "${node}".`);
  }
  const tally = tallyBy(rows, FAMILY_DIMS, "node").get(node) ?? emptyTally();
  const runs = await store.countRollouts(here, ["run"]);
  const classes = await classCounts(store, here);
  const infra = classes.filter((one) => one.family !== "none");
  const newest = await store.listRollouts(here, { limit: 1, cursor: null });
  const timeline = await timelineOf(store, here);
  return {
    node,
    rollouts: tally.rollouts,
    infraFailed: infraRate(tally),
    expected: null,
    byFamily: tally.byFamily,
    incidents: infra.reduce((sum, one) => sum + one.incidents, 0),
    absorbed: infra.reduce((sum, one) => sum + one.absorbed, 0),
    runs: new Set(runs.map(({ key }) => runOf(key[0] ?? null, directory))).size,
    lastAt: iso(newest.items[0]?.at ?? null),
    hours: timeline.map(hourOf),
    classes,
    timeline,
    ...(await nodeEvidence(store, directory, node, here, newest.items[0]?.cluster ?? null)),
    commands: commandsFor(node),
    check: { plan: "node-check" as const, options: { suspect: node } },
  };
}

function runOf(label: string | null, directory: RunDirectory): string | null {
  return label === null ? null : directory.ownerOf(label);
}

const UNTESTED = {
  tested: 0,
  fleetWide: false,
  strata: [],
  families: [],
  burst: null,
  attribution: null,
  smallestExcess: null,
};
const TESTING = "The nodes are being tested.";
const NONE_RAN = "No finished rollout is known to have run there, so nothing can be said of it.";

function testOf({ node: test, strata, fleet }: Judged) {
  const shared = { tested: fleet.nodes.length, fleetWide: fleet.fleetWide };
  if (!test) return { ...UNTESTED, ...shared, sentence: NONE_RAN };
  const { families, burst, attribution } = test;
  const sentence = `${test.sentence} p = ${small(test.p)}; corrected for ${fleet.nodes.length} nodes q = ${small(test.q)}.`;
  const power = smallestExcess({ strata }, fleet.nodes.length);
  return { ...shared, strata: strata.map(stratumOf), families, burst, attribution, smallestExcess: power, sentence };
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
