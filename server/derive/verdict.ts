/** A rollout's verdict: a pure function of its record and of the incidents of its sandboxes (taxonomy.md §4). */
import { classInfo, isInfra } from "@/server/classify/taxonomy";
import type { RolloutRecord, RolloutVerdict } from "@/server/domain/rollout";
import type { Verdict } from "@/server/domain/taxonomy-words";
import { byAttempt, passed } from "./attempts";
import type { DerivedIncident, DeriveSettings } from "./incidents";

/** What is known of the sandboxes that a rollout used. */
export interface SandboxOfRollout {
  sandbox: string;
  node: string | null;
  lastEvidenceAt: number | null;
}

export interface VerdictInput {
  /** All attempts of one group, distinct by id and content. */
  attempts: RolloutRecord[];
  /** All incidents of the group's rollouts and sandboxes. */
  incidents: readonly DerivedIncident[];
  sandboxesOf(rollout: RolloutRecord): SandboxOfRollout[];
  settings: DeriveSettings;
}

export function deriveVerdicts(input: VerdictInput): RolloutVerdict[] {
  const attempts = [...input.attempts].sort(byAttempt);
  const verdicts = attempts.map((attempt) => verdictOf(attempt, input));
  const counts = verdicts.map((v, i) => isCounted(v) && !judgedNothing(attempts, verdicts, i));
  const last = counts.lastIndexOf(true);
  const effective = last >= 0 ? last : lastLost(attempts, verdicts);
  return verdicts.map((verdict, i) => ({ ...verdict, effective: i === effective }));
}

function isCounted({ verdict }: RolloutVerdict): boolean {
  return verdict !== "infra_failed" && verdict !== "not_scored";
}

/** A judge found no patch of an attempt that another record of the same attempt says was lost: that is why there was none. */
function judgedNothing(attempts: readonly RolloutRecord[], verdicts: readonly RolloutVerdict[], i: number): boolean {
  const one = attempts[i];
  if (one === undefined || one.hasPatch !== false || verdicts[i]?.verdict !== "failed") return false;
  return verdicts.some((other, j) => j !== i && other.id === one.id && other.verdict === "infra_failed");
}

/** The last attempt; of several records of it one that says what ended it. */
function lastLost(attempts: readonly RolloutRecord[], verdicts: readonly RolloutVerdict[]): number {
  const last = attempts.length - 1;
  const told = verdicts.findLastIndex(
    (v, i) => v.verdict === "infra_failed" && attempts[i]?.attempt === attempts[last]?.attempt,
  );
  return told >= 0 ? told : last;
}

function verdictOf(rollout: RolloutRecord, input: VerdictInput): RolloutVerdict {
  const mine = input.incidents.filter((one) => one.incident.rollout === rollout.id);
  const ending = mine.filter((one) => one.ended === rollout.id).sort(byTellingFirst);
  const infra = ending.find((one) => isInfra(one.incident.class));
  const shown = infra ?? ending[0];
  const verdict = decide(rollout, input, infra !== undefined);
  const sandboxes = input.sandboxesOf(rollout);
  const used = sandboxes.find((s) => s.sandbox === shown?.incident.sandbox) ?? sandboxes.at(-1);
  return {
    id: rollout.id,
    content: rollout.content,
    group: rollout.group,
    verdict,
    effective: false,
    class: verdict === "passed" ? null : (shown?.incident.class ?? null),
    family: verdict === "infra_failed" && shown ? shown.incident.family : null,
    incident: verdict === "passed" ? null : (shown?.incident.id ?? null),
    confidence: verdict === "passed" ? null : (shown?.incident.confidence ?? null),
    node: used?.node ?? shown?.incident.node ?? rollout.node,
    sandbox: used?.sandbox ?? null,
    configKey: input.settings.configKeyOf(rollout),
    suspect: isSuspect(rollout, verdict),
    absorbed: mine.filter((one) => one.incident.outcome === "absorbed" && isInfra(one.incident.class)).length,
    at: rollout.endedAt ?? rollout.startedAt ?? used?.lastEvidenceAt ?? null,
    reason: reasonOf(rollout, verdict, shown),
  };
}

/** The earliest; of equal times one that names a cause before a producer's bare word. */
function byTellingFirst(a: DerivedIncident, b: DerivedIncident): number {
  const [atA, atB] = [a, b].map((one) => one.incident.firstAt ?? Number.POSITIVE_INFINITY) as [number, number];
  if (atA !== atB) return atA - atB;
  const bare = ({ incident }: DerivedIncident) => Number(incident.subCause === "unspecified");
  return bare(a) - bare(b);
}

function decide(rollout: RolloutRecord, input: VerdictInput, infra: boolean): Verdict {
  if (passed(rollout, input.settings.passRuleOf(rollout.run))) return "passed";
  if (infra) return "infra_failed";
  return rollout.scored ? "failed" : "not_scored";
}

/** Honest as far as the record says, yet nothing came back at all. */
function isSuspect(rollout: RolloutRecord, verdict: Verdict): boolean {
  return verdict === "failed" && rollout.error === null && rollout.reward === 0 && rollout.emptyOutput === true;
}

function reasonOf(rollout: RolloutRecord, verdict: Verdict, shown: DerivedIncident | undefined): string {
  if (verdict === "passed")
    return rollout.producerPassed ? "The producer says that it passed." : "Its reward reaches the pass mark.";
  if (shown) {
    const { confidence, summary } = shown.incident;
    const what = `${classInfo(shown.incident.class).title} (${confidence})`;
    // What is set aside without a word has a class and no text.
    return summary.trim() === "" ? `${what}.` : `${what}: ${summary}`;
  }
  if (verdict === "not_scored") return "The producer set it aside without a score.";
  return rollout.error === null ? "Scored, and not passed." : `The producer's error: ${rollout.error.slice(0, 200)}`;
}
