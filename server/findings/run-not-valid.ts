/** Too much was lost, or cannot be explained, for the run's scores to mean anything. */
import { configLink, runPath } from "./class-facts";
import type { Check } from "./finding";

export const runNotValid: Check = (input) => {
  const { valid, infraFailed, unknownShare } = input;
  if (valid.ok || valid.reason === null || infraFailed === null) return null;
  return {
    id: "run-not-valid",
    run: input.run,
    title: "The run is not a valid measurement",
    severity: "critical",
    text: `${valid.reason} Its pass@1 says more about the infrastructure than about the model.`,
    rolloutsAffected: Math.max(infraFailed.k, unknownShare?.k ?? 0),
    winBack: null,
    evidence: [
      { label: `${infraFailed.k} lost`, path: runPath(input, "/rollouts"), query: { verdict: "infra_failed" } },
      configLink(input),
    ],
    change: null,
    canaryPlan: null,
  };
};
