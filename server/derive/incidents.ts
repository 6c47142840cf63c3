/** Observations of one subject → incidents. A pure function of the case file: no order, repetition or clock changes it. */
import { classInfo } from "@/server/classify/taxonomy";
import type { EvidenceKind } from "@/server/domain/evidence";
import type { Observation } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import { type Ref, sameThing, splitRef } from "@/server/domain/refs";
import { type RolloutRecord, rolloutRefs } from "@/server/domain/rollout";
import { CONFIDENCES, type Confidence, type Outcome } from "@/server/domain/taxonomy-words";
import { laterAttemptWent, type PassRule, rolloutOfChain } from "./attempts";
import type { CaseFile } from "./case-file";
import { byTime, type Chain, foldChains } from "./chains";
import { incidentId } from "./incident-id";
import { type FactSheet, mergeFacts, textFact } from "./merge-facts";
import { joinTellers } from "./one-operation";
import { outcomeOf } from "./outcome";
import { type RootedChain, rootChains, span } from "./roots";
import { withoutToldCreates } from "./told-creates";
import { goneByTtl, restarts, upgradeBindRace } from "./upgrade";
import { indexLinks, type LinkIndex, subjectAt, subjectOfRollout } from "./who-is-who";

/** Evidence keys an incident keeps; the rest is counted. */
const MAX_KEYS = 50;

export interface DerivedIncident {
  incident: Incident;
  /** Rollout whose attempt it ended, also when a later attempt made it absorbed. */
  ended: string | null;
}

export interface DeriveSettings {
  passRuleOf(run: string | null): PassRule;
  configKeyOf(rollout: RolloutRecord): string | null;
}

export function deriveIncidents(file: CaseFile, settings: DeriveSettings): DerivedIncident[] {
  const index = indexLinks(file.links);
  const facts = mergeFacts(file.facts);
  const seen = distinct(file.observations);
  // Buckets beside this one are folded with it, so that a chain across the border is one; it belongs where it began.
  const mine = seen.filter(
    (o) => o.refs[0] !== undefined && sameThing(subjectAt(index, o.refs[0], o.at), file.subject),
  );
  const context = seen.filter((o) => o.class === null);
  const lifecycle = context.filter((o) => o.evidence.kind === "lifecycle");
  const failures = [
    ...withoutToldCreates(
      explained(mine.filter((o) => o.class !== null)),
      seen.filter((o) => !mine.includes(o)),
    ),
    ...restarts(lifecycle.filter((o) => mine.includes(o))),
  ];
  const successes = context.filter((o) => o.evidence.kind === "success" || o.evidence.kind === "lifecycle");
  const begun = foldChains(failures, successes).filter((chain) => beginsIn(chain, file.subject, index));
  const chains = joinTellers(begun);
  for (const chain of chains) chain.class = upgradeBindRace(chain, facts, lifecycle);
  const finished = seen.filter((o) => o.evidence.kind === "finished" && o.evidence.layer !== "record");
  const own = ownRollouts(file, index);
  const rooted = rootChains(chains).map((root) => settle(root, file, { finished, own, settings }));
  return absorbEarlier(rooted, file.rollouts).map((one) => ({
    incident: toIncident(one, file, facts, index, settings),
    ended: one.ended,
  }));
}

/** "It ended in error" is a failure of its own only when nothing else says which. */
function explained(failures: Observation[]): Observation[] {
  const bare = (o: Observation) => o.class === "unknown" && o.evidence.kind === "finished";
  return failures.some((o) => !bare(o)) ? failures.filter((o) => !bare(o)) : failures;
}

function beginsIn(chain: Chain, subject: Ref, index: LinkIndex): boolean {
  const first = chain.failures[0];
  return first?.refs[0] !== undefined && subjectAt(index, first.refs[0], first.at) === subject;
}

/** Of rows with one key (an event seen again with a higher count) the one that says most. */
function distinct(observations: readonly Observation[]): Observation[] {
  const byKey = new Map<string, Observation>();
  for (const o of observations) {
    const known = byKey.get(o.key);
    if (!known || saysMore(o, known)) byKey.set(o.key, o);
  }
  return [...byKey.values()].sort(byTime);
}

function saysMore(a: Observation, b: Observation): boolean {
  const countA = a.evidence.count ?? 0;
  const countB = b.evidence.count ?? 0;
  if (countA !== countB) return countA > countB;
  if (a.at !== b.at) return (a.at ?? -1) > (b.at ?? -1);
  return a.line < b.line;
}

/** Rollouts that resolve to this subject, as opposed to sibling attempts that the file holds for comparison. */
function ownRollouts(file: CaseFile, index: LinkIndex): Set<string> {
  const own = file.rollouts.filter((rollout) => {
    const ref = rolloutRefs(rollout).rollout;
    if (!file.members.includes(ref)) return false;
    // A record may name several sandboxes: it is then a rollout of each.
    const named = index.get(ref)?.some((link) => link.to === file.subject);
    return named || subjectOfRollout(index, rollout) === file.subject;
  });
  return new Set(own.map((rollout) => rollout.id));
}

interface Settled {
  root: RootedChain;
  rollout: RolloutRecord | null;
  outcome: Outcome;
  ended: string | null;
}

interface Context {
  finished: readonly Observation[];
  own: ReadonlySet<string>;
  settings: DeriveSettings;
}

/** A root takes its symptoms' fate: what was fatal to the command was fatal by the kill behind it. */
function settle(root: RootedChain, file: CaseFile, context: Context): Settled {
  const all = [root.chain, ...root.symptoms];
  const found = all.map((chain) => rolloutOfChain(chain, file.rollouts, context.own));
  const rollout = found.find((one) => one !== null) ?? null;
  const rule = context.settings.passRuleOf(rollout?.run ?? null);
  const outcomes = all.map((chain) => outcomeOf({ chain, finished: context.finished, rollout, rule }));
  const outcome =
    (["fatal", "absorbed", "unknown", "teardown"] as const).find((o) => outcomes.includes(o)) ?? "unknown";
  return { root, rollout, outcome, ended: outcome === "fatal" ? (rollout?.id ?? null) : null };
}

/** A failed attempt with a later attempt that came through is absorbed. */
function absorbEarlier(settled: Settled[], rollouts: readonly RolloutRecord[]): Settled[] {
  const broken = new Set(settled.flatMap((one) => (one.ended ? [one.ended] : [])));
  return settled.map((one) =>
    one.outcome === "fatal" && one.rollout && laterAttemptWent(one.rollout, rollouts, broken)
      ? { ...one, outcome: "absorbed" as const }
      : one,
  );
}

function toIncident(
  one: Settled,
  file: CaseFile,
  facts: FactSheet,
  index: LinkIndex,
  settings: DeriveSettings,
): Incident {
  const { root, rollout, outcome } = one;
  const chain = root.chain;
  const evidence = [chain, ...root.symptoms].flatMap((c) => c.failures).sort(byTime);
  const anchor = chain.failures[0] as Observation;
  const times = [chain, ...root.symptoms].map(span);
  const subject = splitRef(file.subject);
  const sandbox = subject.kind === "sandbox" ? subject.id : null;
  return {
    id: incidentId(file.subject, anchor.key),
    ref: file.subject,
    subject: { kind: subject.kind, id: subject.id },
    class: chain.class,
    family: classInfo(chain.class).family,
    outcome,
    confidence: bestConfidence(chain, root.symptoms),
    cluster: subject.cluster,
    origin: anchor.origin,
    node: textFact(facts, "node") ?? firstOf(evidence, (o) => o.node),
    run: rollout?.run ?? firstOf(evidence, (o) => o.run) ?? textFact(facts, "run"),
    rollout: rollout?.id ?? null,
    sandbox,
    pod: textFact(facts, "podName") ?? podOf(file, index, anchor),
    configKey: rollout ? settings.configKeyOf(rollout) : null,
    source: anchor.source,
    hits: { sandboxes: sandbox ? 1 : 0, rollouts: rollout ? 1 : 0 },
    firstAt: least(times.map((t) => t[0])),
    lastAt: greatest(times.map((t) => t[1])),
    attempts: attemptsOf(chain),
    atLeast: chain.failures.some((f) => f.evidence.sampled === true),
    evidence: evidence.length,
    keys: evidence.slice(0, MAX_KEYS).map((o) => o.key),
    rule: anchor.rule,
    subCause: goneByTtl(chain, facts) ?? firstOf(chain.failures, (o) => o.subCause),
    symptoms: [...new Set(root.symptoms.map((c) => c.class))].sort(),
    summary: summarize(chain),
    partOf: null,
    rulesVersion: anchor.rulesVersion,
  };
}

function podOf(file: CaseFile, index: LinkIndex, anchor: Observation): string | null {
  const refs = [...anchor.refs, ...file.members];
  const named = refs.find((ref) => ref.startsWith("podname:") && subjectAt(index, ref, anchor.at) === file.subject);
  return named ? splitRef(named).id : null;
}

/**
 * The tries that the sources counted, else the lines; a lower bound where a source samples. What the exec daemon told its client and wrote
 * for itself is one try.
 */
function attemptsOf(chain: Chain): number {
  const counted = chain.failures.map((f) => Math.max(f.evidence.attempt ?? 0, f.evidence.count ?? 0));
  const of = (kind: EvidenceKind) => chain.failures.filter((f) => f.evidence.kind === kind).length;
  const twice = Math.min(of("exec_event"), of("exec_log"));
  return Math.max(chain.failures.length - twice, ...counted);
}

function bestConfidence(chain: Chain, symptoms: readonly Chain[]): Confidence {
  const order = chain.failures.map((f) => CONFIDENCES.indexOf(f.confidence ?? "possible"));
  const best = CONFIDENCES[Math.min(...order)] ?? "possible";
  // Two independent signs make what one sign only allowed.
  return best === "possible" && symptoms.length > 0 ? "likely" : best;
}

/** One line that says what happened: the text of the most telling failure. */
function summarize(chain: Chain): string {
  const telling = chain.failures.find((f) => f.class === chain.class) ?? chain.failures[0];
  const text = telling?.evidence.message ?? telling?.text ?? "";
  return text.replace(/\s+/g, " ").trim().slice(0, 240);
}

function firstOf<T>(list: readonly Observation[], read: (o: Observation) => T | null): T | null {
  for (const o of list) {
    const value = read(o);
    if (value !== null) return value;
  }
  return null;
}

function least(values: readonly (number | null)[]): number | null {
  const known = values.filter((v): v is number => v !== null);
  return known.length ? Math.min(...known) : null;
}

function greatest(values: readonly (number | null)[]): number | null {
  const known = values.filter((v): v is number => v !== null);
  return known.length ? Math.max(...known) : null;
}
