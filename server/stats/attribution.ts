/** Is it known where rollouts ran, whether they failed or not? If failures are better known, every node looks guilty. */
import type { Rate } from "@/server/domain/rate";
import { failuresOf, type NodeCell } from "./node-cells";
import { wilson } from "./proportion";

/** Share of rollouts whose node is known, among the failed and among the others; null when there is none of them. */
export interface Attribution {
  failed: Rate | null;
  notFailed: Rate | null;
  /** The two differ by at most 10 points. */
  even: boolean;
}

/** Largest difference of the two shares at which nodes are judged. */
const MOST_UNEVEN = 0.1;
/** 90 % against 80 % is 10 points, whatever floating point says. */
const ROUNDING = 1e-9;

export function attributionOf(cells: readonly NodeCell[]): Attribution {
  const count = { failed: { k: 0, n: 0 }, notFailed: { k: 0, n: 0 } };
  for (const cell of cells) {
    const failed = failuresOf(cell);
    count.failed.n += failed;
    count.notFailed.n += cell.rollouts - failed;
    if (cell.node === null) continue;
    count.failed.k += failed;
    count.notFailed.k += cell.rollouts - failed;
  }
  const failed = wilson(count.failed.k, count.failed.n);
  const notFailed = wilson(count.notFailed.k, count.notFailed.n);
  const even =
    failed === null || notFailed === null || Math.abs(failed.value - notFailed.value) <= MOST_UNEVEN + ROUNDING;
  return { failed, notFailed, even };
}

/** Strata (of those that a node ran in) pooled: where a node's own runs are unevenly known, it cannot be judged. */
export function attributionByStratum(cells: readonly NodeCell[]): (strata: readonly string[]) => Attribution {
  const byStratum = new Map<string, NodeCell[]>();
  for (const cell of cells) {
    const members = byStratum.get(cell.stratum);
    if (members) members.push(cell);
    else byStratum.set(cell.stratum, [cell]);
  }
  const known = new Map<string, Attribution>();
  return (strata) => {
    const key = JSON.stringify([...strata].sort());
    const found = known.get(key) ?? attributionOf(strata.flatMap((stratum) => byStratum.get(stratum) ?? []));
    known.set(key, found);
    return found;
  };
}
