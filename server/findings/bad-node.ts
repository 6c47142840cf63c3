/** Nodes that lose more rollouts than chance explains, in this run or over all runs. */

import { shellChange } from "./change-lines";
import { runPath, severityOf } from "./class-facts";
import type { Check, EvidenceLink, FindingInput, NodeFacts, WinBack } from "./finding";
import { withPoints } from "./win-back";

export const badNode: Check = (input) => {
  const suspects = suspectsOf(input);
  const [worst] = suspects;
  if (!worst) return null;
  const names = suspects.map((one) => one.node);
  const lost = suspects.reduce((sum, one) => sum + (hereOf(input, one.node)?.failures ?? 0), 0);
  const more = names.length > 1 ? ` So it is with ${names.slice(1).join(", ")}.` : "";
  return {
    id: "bad-node",
    run: input.run,
    title: `${names.length === 1 ? `Node ${worst.node} loses` : `${names.length} nodes lose`} more rollouts than chance explains`,
    severity: severityOf(lost, input),
    text: `${worst.node}: ${worst.sentence}${more}`,
    rolloutsAffected: lost,
    winBack: excess(input, suspects),
    evidence: names.flatMap((node): EvidenceLink[] => [
      { label: `lost on ${node}`, path: runPath(input, "/rollouts"), query: { node, verdict: "infra_failed" } },
      { label: node, path: `/nodes/${encodeURIComponent(node)}`, query: {} },
    ]),
    change: shellChange(
      "a shell with access to the cluster",
      names.map((node) => `kubectl cordon ${node}`),
    ),
    canaryPlan: { plan: "node-check", options: { suspect: worst.node } },
  };
};

/** Suspects of this run, then those that only all runs together show, if they lost rollouts in this one. */
function suspectsOf({ nodes }: FindingInput): NodeFacts[] {
  const here = nodes.inRun.filter((one) => one.verdict === "suspect");
  const lostHere = new Set(nodes.inRun.filter((one) => one.failures > 0).map((one) => one.node));
  const known = new Set(here.map((one) => one.node));
  return [
    ...here,
    ...nodes.acrossRuns.filter((one) => one.verdict === "suspect" && lostHere.has(one.node) && !known.has(one.node)),
  ];
}

function hereOf(input: FindingInput, node: string): NodeFacts | null {
  return input.nodes.inRun.find((one) => one.node === node) ?? null;
}

/** Failures beyond those that chance would give these nodes in this run. */
function excess(input: FindingInput, suspects: readonly NodeFacts[]): WinBack | null {
  const rollouts = { estimate: 0, low: 0, high: 0 };
  for (const { node } of suspects) {
    const here = hereOf(input, node);
    if (here === null) continue;
    const beyond = (failures: number): number => Math.max(0, failures - here.expected);
    rollouts.estimate += beyond(here.failures);
    rollouts.low += beyond(here.low * here.rollouts);
    rollouts.high += Math.min(here.failures, beyond(here.high * here.rollouts));
  }
  if (rollouts.estimate === 0) return null;
  const formula =
    "failures there − failures that chance would give it; Wilson 95 % interval of its rate × its rollouts";
  return withPoints({ ...rollouts, high: Math.max(rollouts.estimate, rollouts.high) }, formula, input);
}
