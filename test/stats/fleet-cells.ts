import type { NodeCell } from "@/server/stats/node-cells";

/** Cells of one stratum: node, rollouts, failures. */
export function cells(nodes: [string | null, number, number][], stratum = "run"): NodeCell[] {
  return nodes.map(([node, rollouts, failures]) => ({ stratum, node, rollouts, failed: { disconnect: failures } }));
}

/** The later run of the field's example: 70 rollouts, three failures, all on one node that had nine. */
export const LATER_RUN = cells([
  ["bad", 9, 3],
  ...Array.from({ length: 31 }, (_, i): [string, number, number] => [`n${i}`, i < 30 ? 2 : 1, 0]),
]);
