/** Errors that no rule explains: what they hide cannot be changed. */
import { percent } from "@/server/stats/percent";
import { classLinks, runPath } from "./class-facts";
import type { Check } from "./finding";

/** Below this share of the finished rollouts unknown errors are no finding. */
const LEAST = 0.02;

export const unknownShare: Check = (input) => {
  const share = input.unknownShare;
  if (share === null || share.k === 0 || share.value < LEAST) return null;
  return {
    id: "unknown-share",
    run: input.run,
    title: "Errors that no rule explains",
    severity: share.low > LEAST ? "major" : "minor",
    text: `${share.k} of ${share.n} rollouts (${percent(share.value)}, ${percent(share.low)} to ${percent(share.high)}) ended with an error that no rule explains: they may be infrastructure's or the agent's, and are counted as neither.`,
    rolloutsAffected: share.k,
    winBack: null,
    evidence: [
      { label: `${share.k} unexplained`, path: runPath(input, "/rollouts"), query: { class: "unknown" } },
      ...classLinks(input, ["unknown"]).filter((link) => link.path === "/incidents"),
    ],
    change: null,
    canaryPlan: null,
  };
};
