/** A gate that also refuses a run that is worse than its baseline. */
import type { Gate } from "@/server/stats/gate";
import type { CompareAnswer } from "./answer";

/**
 * The gate's word, and the comparison's where the run has ended: worse fails; too little data to compare turns a pass into
 * inconclusive. While the run is going the comparison is no honest look and changes nothing.
 */
export function gateAgainst(
  gate: Gate,
  comparison: Pick<CompareAnswer, "verdict" | "sentence">,
  strict: boolean,
): Gate {
  if (!gate.ended) return gate;
  const sentence = `${gate.sentence} ${comparison.sentence}`;
  if (comparison.verdict === "worse") return { ...gate, verdict: "fail", exitCode: 1, sentence };
  if (gate.verdict === "pass" && comparison.verdict === "too_little_data") {
    return { ...gate, verdict: "inconclusive", exitCode: strict ? 1 : 2, sentence };
  }
  return { ...gate, sentence };
}
