/** Rollouts of which nobody knows the node: nodes cannot be judged by them. */
import { percent } from "@/server/stats/percent";
import { shellChange } from "./change-lines";
import { runPath } from "./class-facts";
import type { Check } from "./finding";

const LEAST = 0.1;
const FEWEST = 5;

export const unattributedShare: Check = (input) => {
  const { unattributed, rollouts } = input;
  if (rollouts < FEWEST || unattributed / rollouts <= LEAST) return null;
  const share = percent(unattributed / rollouts);
  return {
    id: "unattributed-share",
    run: input.run,
    title: "Nobody knows where the rollouts ran",
    severity: "minor",
    text: `The node is not known for ${unattributed} of ${rollouts} rollouts (${share}), so a bad node cannot be told from bad luck: send the pods while they exist.`,
    rolloutsAffected: unattributed,
    winBack: null,
    evidence: [{ label: "rollouts of the run", path: runPath(input, "/rollouts"), query: {} }],
    change: shellChange("a shell with access to the cluster, every few minutes while the run goes", [
      "kubectl get pods -A -o json | coalmine ingest -",
    ]),
    canaryPlan: null,
  };
};
