/** The address of the rows behind a node's number. Pure. */

export interface Behind {
  node: string;
  run: string | null;
  /** Epoch ms. */
  from?: number;
  to?: number;
  outcome?: "fatal" | "absorbed";
}

/** A loss is dated by its rollout's end, an incident by its first sign, which may lie hours before. */
const LEAD_MS = 6 * 3_600_000;

/** Losses of one run lead to its rollouts; over all runs, and for what was absorbed, to the incidents. */
export function incidentsHref({ node, run, from, to, outcome = "fatal" }: Behind): string {
  const rollouts = run !== null && outcome === "fatal";
  const query = new URLSearchParams(rollouts ? { node, verdict: "infra_failed" } : { node, outcome });
  if (run !== null && !rollouts) query.set("run", run);
  if (from !== undefined) query.set("from", new Date(from - (rollouts ? 0 : LEAD_MS)).toISOString());
  if (to !== undefined) query.set("to", new Date(to).toISOString());
  return rollouts ? `/runs/${encodeURIComponent(run)}?${query}#rollouts` : `/failures?${query}#incidents`;
}
