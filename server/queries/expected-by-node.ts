/** Failures that each node would see if those of each stratum (run × config) had fallen at random on its rollouts. Pure. */
import type { RolloutCount, RolloutDim } from "@/server/domain/store";
import { dimOf } from "./tally";

/** Only rollouts whose node is known take part. `dims` must hold node, run, configKey and verdict. */
export function expectedByNode(rows: readonly RolloutCount[], dims: readonly RolloutDim[]): Map<string, number> {
  const strata = new Map<string, { n: number; k: number; byNode: Map<string, number> }>();
  for (const row of rows) {
    const node = dimOf(row, dims, "node");
    const verdict = dimOf(row, dims, "verdict");
    if (node === null || verdict === null || verdict === "missing") continue;
    const key = JSON.stringify([dimOf(row, dims, "run"), dimOf(row, dims, "configKey")]);
    const stratum = strata.get(key) ?? { n: 0, k: 0, byNode: new Map<string, number>() };
    strata.set(key, stratum);
    stratum.n += row.n;
    stratum.k += verdict === "infra_failed" ? row.n : 0;
    stratum.byNode.set(node, (stratum.byNode.get(node) ?? 0) + row.n);
  }
  const expected = new Map<string, number>();
  for (const { n, k, byNode } of strata.values()) {
    for (const [node, mine] of byNode) expected.set(node, (expected.get(node) ?? 0) + (mine * k) / n);
  }
  return expected;
}
