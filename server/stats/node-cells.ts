/** What the node test reads: rollouts counted by stratum and node, and when the lost ones were lost. */
import { CoalmineError } from "@/server/domain/errors";
import type { Family } from "@/server/domain/taxonomy-words";
import type { Stratum } from "./stratified-permutation";

/** The families that a lost rollout can be of. */
export type InfraFamily = Exclude<Family, "none">;

/**
 * Finished rollouts of one stratum (run × config) on one node. `node` is null unless it is known from evidence that does
 * not depend on the outcome (pod object, log envelope, allocation): failures reveal nodes, successes often do not.
 */
export interface NodeCell {
  stratum: string;
  node: string | null;
  rollouts: number;
  /** Infra-failed ones, by family; a missing family is 0. */
  failed: Partial<Record<InfraFamily, number>>;
}

/** One infra-failed rollout; `at` in epoch ms, null when not known. */
export interface NodeFailure {
  stratum: string;
  node: string | null;
  family: InfraFamily;
  at: number | null;
}

/** Failures of one node within this time of the first count once. */
export const BURST_MS = 60_000;

export function failuresOf(cell: NodeCell, family: InfraFamily | null = null): number {
  if (family !== null) return cell.failed[family] ?? 0;
  return Object.values(cell.failed).reduce((sum, n) => sum + n, 0);
}

/** Throws `invalid` when a cell has more failures than rollouts, or either is no count. */
export function requireCells(cells: readonly NodeCell[]): void {
  for (const cell of cells) {
    const counts = [cell.rollouts, failuresOf(cell), ...Object.values(cell.failed)];
    if (counts.some((n) => !Number.isSafeInteger(n) || n < 0) || failuresOf(cell) > cell.rollouts) {
      throw new CoalmineError(
        "invalid",
        `${failuresOf(cell)} failures of ${cell.rollouts} rollouts on a node is no count`,
      );
    }
  }
}

/** Without failures before scheduling: they never had a node, so no node can be blamed or cleared by them. */
export function withoutUnscheduled(cells: readonly NodeCell[]): NodeCell[] {
  return cells.map((cell) => {
    const unscheduled = cell.node === null ? failuresOf(cell, "scheduling") : 0;
    if (unscheduled === 0) return cell;
    return { ...cell, rollouts: cell.rollouts - unscheduled, failed: { ...cell.failed, scheduling: 0 } };
  });
}

/**
 * Failures beyond the first of each burst: of one node, within 60 s of the burst's first, whatever their stratum.
 * Failures without a time stand alone.
 */
export function repeatsInBursts(failures: readonly NodeFailure[]): NodeFailure[] {
  const timed = failures
    .filter((failure) => failure.node !== null && failure.at !== null)
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.stratum < b.stratum ? -1 : a.stratum > b.stratum ? 1 : 0));
  const burstStart = new Map<string, number>();
  return timed.filter(({ node, at }) => {
    const start = burstStart.get(node ?? "");
    if (start !== undefined && (at ?? 0) - start <= BURST_MS) return true;
    burstStart.set(node ?? "", at ?? 0);
    return false;
  });
}

/** The cells without these failed rollouts: as if each had not been. */
export function withoutFailures(cells: readonly NodeCell[], dropped: readonly NodeFailure[]): NodeCell[] {
  const left = new Map<string, number>();
  const keyOf = (stratum: string, node: string | null, family: string) => JSON.stringify([stratum, node, family]);
  for (const { stratum, node, family } of dropped) {
    const key = keyOf(stratum, node, family);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return cells.map((cell) => {
    const failed = { ...cell.failed };
    let gone = 0;
    for (const [family, n] of Object.entries(cell.failed) as [InfraFamily, number][]) {
      const key = keyOf(cell.stratum, cell.node, family);
      const drop = Math.min(n, left.get(key) ?? 0);
      left.set(key, (left.get(key) ?? 0) - drop);
      failed[family] = n - drop;
      gone += drop;
    }
    return gone === 0 ? cell : { ...cell, rollouts: cell.rollouts - gone, failed };
  });
}

/** One node's part of each stratum it ran in, over rollouts whose node is known. */
export interface NodeStrata {
  node: string;
  strata: (Stratum & { name: string; seen: number })[];
}

/** Nodes in order of name; only those with at least one rollout. `family` null counts every infra failure. */
export function strataByNode(cells: readonly NodeCell[], family: InfraFamily | null): NodeStrata[] {
  const known = cells.filter((cell) => cell.node !== null && cell.rollouts > 0);
  const totals = new Map<string, { rollouts: number; failures: number }>();
  const parts = new Map<string, Map<string, { here: number; seen: number }>>();
  for (const cell of known) {
    const total = totals.get(cell.stratum) ?? { rollouts: 0, failures: 0 };
    totals.set(cell.stratum, total);
    const ofNode = parts.get(cell.node ?? "") ?? new Map<string, { here: number; seen: number }>();
    parts.set(cell.node ?? "", ofNode);
    const part = ofNode.get(cell.stratum) ?? { here: 0, seen: 0 };
    ofNode.set(cell.stratum, part);
    const failures = failuresOf(cell, family);
    total.rollouts += cell.rollouts;
    total.failures += failures;
    part.here += cell.rollouts;
    part.seen += failures;
  }
  return [...parts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([node, ofNode]) => ({
      node,
      strata: [...ofNode].map(([name, part]) => ({
        name,
        ...part,
        ...(totals.get(name) ?? { rollouts: 0, failures: 0 }),
      })),
    }));
}
