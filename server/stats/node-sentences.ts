/** The node test in words that fit on a page. */
import type { FleetTest, NodeTest } from "./node-outliers";
import { percent, plural } from "./percent";

/** What was seen on the node, and how often chance would do the same. */
export function nodeSentence(node: Omit<NodeTest, "sentence">): string {
  const { k, n } = node.infraFailed;
  const ran = node.strata.reduce((sum, stratum) => sum + stratum.rollouts, 0);
  const lost = node.strata.reduce((sum, stratum) => sum + stratum.failures, 0);
  const share = `It had ${n} of ${plural(ran, "rollout")} and ${k} of ${plural(lost, "infrastructure failure")}`;
  if (k === 0) return `${share}; chance would give it ${node.expected.toFixed(1)}.${remark(node)}`;
  const chance =
    node.strata.length === 1
      ? "had they fallen at random on the rollouts"
      : "had those of each run and config fallen at random on its rollouts";
  return `${share}; ${chance}, it would have at least ${k} in ${percent(node.p)} of cases (${node.expected.toFixed(1)} expected).${remark(node)}`;
}

function remark(node: Pick<NodeTest, "reason" | "burst" | "attribution">): string {
  if (node.reason === "one_burst" && node.burst) {
    return ` One burst: with failures within 60 s counted once it is ${percent(node.burst.p)}.`;
  }
  if (node.reason === "fleet_wide") return " So do more than a third of the nodes: fleet-wide, not a node.";
  if (node.reason === "attribution") {
    const { failed, notFailed } = node.attribution;
    return ` No verdict: the node is known for ${percent(failed?.value ?? 0)} of the failed rollouts and ${percent(notFailed?.value ?? 0)} of the others.`;
  }
  return "";
}

export function fleetSentence(fleet: Omit<FleetTest, "sentence">): string {
  const tested = fleet.nodes.length;
  if (tested === 0) return "No rollout's node is known.";
  if (fleet.fleetWide) {
    const many = fleet.nodes.filter((node) => node.reason === "fleet_wide").length;
    return `Fleet-wide, not a node: ${many} of ${plural(tested, "node")} fail more than chance explains.`;
  }
  const unjudged = fleet.nodes.filter((node) => node.reason === "attribution").length;
  const [worst] = fleet.nodes.filter((node) => node.verdict === "suspect");
  const caveat =
    unjudged > 0
      ? ` ${plural(unjudged, "node")} without a verdict: failures and successes are unequally attributed.`
      : "";
  if (worst === undefined) return `No node of ${tested} fails more than chance explains.${caveat}`;
  const others = fleet.suspects.length - 1;
  const rest = others > 0 ? ` and ${plural(others, "other")}` : "";
  return `${worst.node}${rest} of ${plural(tested, "node")} fail${others > 0 ? "" : "s"} more than chance explains: ${worst.infraFailed.k} of ${plural(worst.infraFailed.n, "rollout")}, ${worst.expected.toFixed(1)} expected.${caveat}`;
}
