/** Which node misbehaves: the exact stratified permutation test for every node, corrected for the number of nodes. */
import type { Rate } from "@/server/domain/rate";
import { type Attribution, attributionByStratum, attributionOf } from "./attribution";
import { benjaminiHochberg } from "./multiple";
import {
  failuresOf,
  type InfraFamily,
  type NodeCell,
  type NodeFailure,
  type NodeStrata,
  repeatsInBursts,
  requireCells,
  strataByNode,
  withoutFailures,
  withoutUnscheduled,
} from "./node-cells";
import { fleetSentence, nodeSentence } from "./node-sentences";
import { wilson } from "./proportion";
import { atLeast, expectedFailures, type KnownDraws, type Stratum } from "./stratified-permutation";

export type NodeVerdict = "suspect" | "watch" | "ok" | "too_little_data";

/**
 * `attribution`: failures and successes are unequally attributed to nodes. `few_rollouts`: under 5, none failed.
 * `one_burst`: small only because failures within 60 s were counted one by one. `fleet_wide`: so many nodes stand out
 * that it is no node's fault.
 */
export type NodeReason = "attribution" | "few_rollouts" | "one_burst" | "fleet_wide";

export interface FamilyTest {
  family: InfraFamily;
  k: number;
  expected: number;
  p: number;
  /** Corrected over all nodes × families that occurred. */
  q: number;
  /** q ≤ 0.05 with at least 3 failures: shown, but never makes a node a suspect alone. */
  standsOut: boolean;
}

export interface NodeTest {
  node: string;
  infraFailed: Rate;
  /** Failures that chance would give it. */
  expected: number;
  p: number;
  q: number;
  verdict: NodeVerdict;
  reason: NodeReason | null;
  /** Failures with those of a burst counted once, and the p-value then; null when no times were given. */
  burst: { failures: number; p: number } | null;
  families: FamilyTest[];
  /** Wilson's low end · rollouts − expected: how many failures too many it surely had. Nodes are ranked by it. */
  excess: number;
  attribution: Attribution;
  strata: (Stratum & { name: string; seen: number })[];
  sentence: string;
}

export interface FleetTest {
  /** Worst first. */
  nodes: NodeTest[];
  suspects: string[];
  fleetWide: boolean;
  attribution: Attribution;
  /** Finished rollouts that took no part: failed before scheduling, or on an unknown node. */
  leftOut: { beforeScheduling: number; unattributed: number };
  sentence: string;
}

const LEVEL = 0.05;
const FLEET_WIDE_SHARE = 1 / 3;

/**
 * Tests every node with at least one rollout; call it with all nodes of the window, before paging or filtering.
 * `failures` adds the burst count; null leaves it out. Throws `invalid` on cells that are no counts.
 */
export function testNodes(cells: readonly NodeCell[], failures: readonly NodeFailure[] | null): FleetTest {
  requireCells(cells);
  const scheduled = withoutUnscheduled(cells);
  const strata = strataByNode(scheduled, null);
  const known: KnownDraws = new Map();
  const p = strata.map((one) => pValue(one.strata, known));
  const q = benjaminiHochberg(p);
  const families = familyTests(scheduled, known);
  const burst = failures && burstTests(scheduled, failures, known);
  const attributionIn = attributionByStratum(scheduled);
  const judged = strata.map((one, i) => {
    const attribution = attributionIn(one.strata.map((stratum) => stratum.name));
    const bursts = burst?.get(one.node) ?? null;
    return judge(one, p[i] ?? 1, q[i] ?? 1, bursts, attribution, families.get(one.node) ?? []);
  });
  const nodes = settleFleet(judged).sort((a, b) => b.excess - a.excess || a.p - b.p || (a.node < b.node ? -1 : 1));
  const fleetWide = nodes.some((node) => node.reason === "fleet_wide");
  const unattributed = sum(scheduled.filter((cell) => cell.node === null).map((cell) => cell.rollouts));
  const fleet = {
    nodes: nodes.map((node) => ({ ...node, sentence: nodeSentence(node) })),
    suspects: nodes.filter((node) => node.verdict === "suspect").map((node) => node.node),
    fleetWide,
    attribution: attributionOf(scheduled),
    leftOut: {
      beforeScheduling: sum(cells.map((c) => c.rollouts)) - sum(scheduled.map((c) => c.rollouts)),
      unattributed,
    },
  };
  return { ...fleet, sentence: fleetSentence(fleet) };
}

function pValue(strata: NodeStrata["strata"], known: KnownDraws): number {
  return atLeast(strata, seenIn(strata), known);
}

function seenIn(strata: NodeStrata["strata"]): number {
  return sum(strata.map((stratum) => stratum.seen));
}

function judge(
  { node, strata }: NodeStrata,
  p: number,
  q: number,
  burst: NodeTest["burst"],
  attribution: Attribution,
  families: FamilyTest[],
): Omit<NodeTest, "sentence"> {
  const k = seenIn(strata);
  const n = sum(strata.map((stratum) => stratum.here));
  const expected = expectedFailures(strata);
  const infraFailed = wilson(k, n) ?? { k, n, value: 0, low: 0, high: 1 };
  const { verdict, reason } = verdictOf(k, n, p, q, burst, attribution.even);
  const excess = infraFailed.low * n - expected;
  return { node, infraFailed, expected, p, q, verdict, reason, burst, families, excess, attribution, strata };
}

function verdictOf(
  k: number,
  n: number,
  p: number,
  q: number,
  burst: NodeTest["burst"],
  attributionEven: boolean,
): Pick<NodeTest, "verdict" | "reason"> {
  if (!attributionEven) return { verdict: "too_little_data", reason: "attribution" };
  const oneBurst = burst !== null && p <= LEVEL && burst.p > LEVEL ? "one_burst" : null;
  if (q <= LEVEL && k >= 3) return { verdict: "suspect", reason: oneBurst };
  if (p <= LEVEL && k >= 2) return { verdict: "watch", reason: oneBurst };
  if (n < 5 && k === 0) return { verdict: "too_little_data", reason: "few_rollouts" };
  return { verdict: "ok", reason: null };
}

/** Two suspects or more that are over a third of all nodes: the fault is not a node's, so none is called suspect. */
function settleFleet<T extends Pick<NodeTest, "verdict" | "reason">>(nodes: T[]): T[] {
  const suspects = nodes.filter((node) => node.verdict === "suspect").length;
  if (suspects < 2 || suspects <= nodes.length * FLEET_WIDE_SHARE) return nodes;
  return nodes.map((node) => (node.verdict === "suspect" ? { ...node, verdict: "watch", reason: "fleet_wide" } : node));
}

function burstTests(
  cells: readonly NodeCell[],
  failures: readonly NodeFailure[],
  known: KnownDraws,
): Map<string, NodeTest["burst"]> {
  const thinned = withoutFailures(cells, repeatsInBursts(failures));
  return new Map(
    strataByNode(thinned, null).map(({ node, strata }) => [
      node,
      { failures: seenIn(strata), p: pValue(strata, known) },
    ]),
  );
}

function familyTests(cells: readonly NodeCell[], known: KnownDraws): Map<string, FamilyTest[]> {
  const occurred = new Set<InfraFamily>();
  for (const cell of cells) {
    for (const family of Object.keys(cell.failed) as InfraFamily[]) {
      if (cell.node !== null && failuresOf(cell, family) > 0) occurred.add(family);
    }
  }
  const tests = [...occurred].sort().flatMap((family) =>
    strataByNode(cells, family).map(({ node, strata }) => {
      const k = seenIn(strata);
      return { node, family, k, expected: expectedFailures(strata), p: atLeast(strata, k, known) };
    }),
  );
  const q = benjaminiHochberg(tests.map((test) => test.p));
  const byNode = new Map<string, FamilyTest[]>();
  for (const [i, { node, ...test }] of tests.entries()) {
    const value = q[i] ?? 1;
    const list = byNode.get(node) ?? [];
    byNode.set(node, list);
    list.push({ ...test, q: value, standsOut: value <= LEVEL && test.k >= 3 });
  }
  return byNode;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
