/** What the list of runs says first. Pure. */
import { plural } from "@/app/_ui/format";
import type { RunSummary } from "@/server/domain/answers";

/** How many of the measured runs can be trusted. */
export function sentenceOfRuns(runs: readonly RunSummary[]): string {
  const measured = runs.filter((run) => run.infraFailed !== null);
  const invalid = measured.filter((run) => !run.valid.ok).length;
  if (measured.length === 0) return `${plural(runs.length, "run")}, and no rollout of them has finished yet.`;
  if (invalid === 0) {
    return measured.length === 1
      ? "One run is measured, and infrastructure leaves it valid."
      : `All ${measured.length} measured runs are valid: infrastructure took no more of them than a measurement can bear.`;
  }
  return `${invalid} of ${plural(measured.length, "measured run")} ${invalid === 1 ? "is" : "are"} no valid measurement.`;
}
