/** What to know before quoting a comparison. */
import { percent, plural } from "@/server/stats/percent";
import type { ConfigDiff, MetricComparison, Pairs, RunSide } from "./answer";

/** Difference of the shares of missing rollouts from which it is worth a word. */
const MISSING_APART = 0.05;

export function compareNotes(
  sides: { baseline: RunSide; candidate: RunSide },
  metrics: readonly MetricComparison[],
  pairs: Pairs,
  config: ConfigDiff,
): string[] {
  return [
    pairNote(pairs),
    ambiguousNote(pairs),
    excludedNote(metrics),
    missingNote(sides),
    ...configNotes(config),
  ].filter((note) => note !== null);
}

function pairNote(pairs: Pairs): string | null {
  const lost = `${pairs.baselineOnly} of the baseline and ${pairs.candidateOnly} of the candidate have no partner`;
  if (pairs.shared === 0) return "No rollout has a partner with the same task and index: nothing is compared in pairs.";
  const use = pairs.enough
    ? "pass@1 and reward are decided on pairs"
    : "less than half of the smaller run, so nothing is decided on pairs";
  return `${plural(pairs.shared, "pair")} over ${plural(pairs.tasks, "task")}; ${lost}; ${use}.`;
}

function ambiguousNote({ ambiguous }: Pairs): string | null {
  if (ambiguous === 0) return null;
  return `${plural(ambiguous, "rollout")} share task and index with another of their run and are in no pair.`;
}

function excludedNote(metrics: readonly MetricComparison[]): string | null {
  const infra = metrics.find((metric) => metric.id === "infraRate");
  if (!infra || ((infra.baseline?.value.value ?? 0) === 0 && (infra.candidate?.value.value ?? 0) === 0)) return null;
  return "“Infra excluded” drops the lost rollouts from the denominator and is biased up: running out of memory hits heavy test suites, timeouts hit long rollouts.";
}

function missingNote({ baseline, candidate }: { baseline: RunSide; candidate: RunSide }): string | null {
  const [a, b] = [missingShare(baseline), missingShare(candidate)];
  if (a === null || b === null || Math.abs(a - b) < MISSING_APART) return null;
  return `Planned rollouts without a record: ${percent(a)} of the baseline, ${percent(b)} of the candidate. They are in no rate.`;
}

function missingShare({ missing, rollouts }: RunSide): number | null {
  return missing === null || missing + rollouts === 0 ? null : missing / (missing + rollouts);
}

function configNotes(config: ConfigDiff): string[] {
  const notes: string[] = [];
  const unknown = (["baseline", "candidate"] as const).filter((side) => !config.known[side]);
  if (unknown.length > 0)
    notes.push(`The config of the ${unknown.join(" and the ")} is not known: what else differs cannot be told.`);
  else if (config.differing.length === 0) notes.push("No setting that can matter differs, as far as is known.");
  else if (config.differing.length === 1) notes.push(`One setting differs: ${config.differing[0]}.`);
  else notes.push(`${config.differing.length} settings differ, so the change cannot be put down to one of them.`);
  const overridden = config.changes.filter((change) => change.baseline.overridden || change.candidate.overridden);
  for (const { key } of overridden) notes.push(`${key}: Kubernetes set another value than was asked for.`);
  return notes;
}
