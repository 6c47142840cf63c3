/** Planned rollouts that left no record: they are in no rate. */
import { percent } from "@/server/stats/percent";
import { runPath } from "./class-facts";
import type { Check, EvidenceLink, FindingInput } from "./finding";

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
    evidence: [rowsOf(input, missing)],
    change: null,
    canaryPlan: null,
  };
};

/** The missing ones where the plan names them, else those that came back. */
function rowsOf(input: FindingInput, missing: number): EvidenceLink {
  const path = runPath(input, "/rollouts");
  if (input.missingListed) return { label: `${missing} missing`, path, query: { verdict: "missing" } };
  return { label: `${input.rollouts} that came back`, path, query: {} };
}
