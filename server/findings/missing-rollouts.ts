/** Planned rollouts that left no record: they are in no rate. */
import { percent } from "@/server/stats/percent";
import { runPath } from "./class-facts";
import type { Check } from "./finding";

const MAJOR_SHARE = 0.05;

export const missingRollouts: Check = (input) => {
  const { missing, planned, rollouts } = input;
  if (!input.ended || missing === null || missing === 0) return null;
  const of = planned ?? missing + rollouts;
  return {
    id: "missing-rollouts",
    run: input.run,
    title: "Planned rollouts left no record",
    severity: missing / of >= MAJOR_SHARE ? "major" : "minor",
    text: `${missing} of ${of} planned rollouts (${percent(missing / of)}) left no record: they are in no rate, so the run's scores speak of the ${rollouts} that came back only.`,
    rolloutsAffected: missing,
    winBack: null,
    evidence: [
      input.missingListed
        ? { label: `${missing} missing`, path: runPath(input, "/rollouts"), query: { verdict: "missing" } }
        : { label: `${rollouts} that came back`, path: runPath(input, "/rollouts"), query: {} },
    ],
    change: null,
    canaryPlan: null,
  };
};
