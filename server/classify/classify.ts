/** Gives one piece of evidence its class: the first rule of the ordered list that holds. Pure, and fast on any text. */
import { createHash } from "node:crypto";
import { EVIDENCE_KINDS, type Evidence, type EvidenceKind, LAYERS, type Layer } from "@/server/domain/evidence";
import { saysFailure } from "./failure-signs";
import { matches, namedGroup } from "./match";
import type { Classification, Condition, Rule, Test } from "./rule";
import { RULES } from "./rules/order";

/** Raised by hand when the meaning of a rule changes in a way that its data does not show. */
const RULES_NUMBER = 1;

/** `<number>-<hash of ids, classes and conditions>`: stored with each observation, so that a replay knows what to move. */
export const RULES_VERSION = `${RULES_NUMBER}-${digest(RULES)}`;

/** Longest text that is judged; formats cut earlier, this bounds the cost whatever comes. */
const MAX_TEXT = 4_000;

/** Kinds that are facts in fields: their message, if any, is a program's own text. Only conditions that name the kind judge them. */
const TYPED_KINDS: readonly EvidenceKind[] = [
  "exit",
  "exec_event",
  "container_end",
  "condition",
  "lifecycle",
  "success",
];

const NOTHING: Classification = { class: null, rule: null, subCause: null, confidence: null };
const UNKNOWN: Classification = { class: "unknown", rule: null, subCause: null, confidence: "possible" };

interface Candidate {
  rule: Rule;
  when: readonly Condition[];
}

const CANDIDATES = new Map<string, readonly Candidate[]>();
for (const layer of LAYERS) {
  for (const kind of EVIDENCE_KINDS) {
    CANDIDATES.set(`${layer}|${kind}`, candidatesFor(layer, kind, false));
    if (kind === "line") CANDIDATES.set(`${layer}|${kind}|quiet`, candidatesFor(layer, kind, true));
  }
}

/** The class of one piece of evidence; class null means that it is no failure. Never throws. */
export function classify(evidence: Evidence): Classification {
  const judged = normalise(evidence);
  if (judged.kind === "success" || judged.kind === "lifecycle") return NOTHING;
  for (const { rule, when } of CANDIDATES.get(candidateKey(judged)) ?? []) {
    const held = when.find((condition) => matches(condition, judged));
    if (!held || rule.unless?.some((condition) => matches(condition, judged))) continue;
    if (rule.class === null) return { ...NOTHING, rule: rule.id };
    return { class: rule.class, rule: rule.id, subCause: subCauseOf(rule, held, judged), confidence: rule.confidence };
  }
  return judged.layer !== "agent" && saysFailure(judged) ? UNKNOWN : NOTHING;
}

function candidateKey({ layer, kind, level }: Evidence): string {
  // At info a harness prints what the agent saw, too: only rules made for such lines may judge them.
  const quiet = kind === "line" && layer === "harness" && (level === "info" || level === "debug");
  return quiet ? `${layer}|${kind}|quiet` : `${layer}|${kind}`;
}

/** A harness's line that reports a command's exit code is an exit, whatever its level: its text is the command's. */
function normalise(evidence: Evidence): Evidence {
  const { layer, kind, message, exitCode, errorType, phase } = evidence;
  const isExit =
    layer === "harness" &&
    (kind === "error" || kind === "line") &&
    exitCode !== undefined &&
    errorType === undefined &&
    phase !== "create";
  const tooLong = message !== undefined && message.length > MAX_TEXT;
  if (!isExit && !tooLong) return evidence;
  return {
    ...evidence,
    kind: isExit ? "exit" : kind,
    message: tooLong ? message.slice(0, MAX_TEXT) : message,
  };
}

function subCauseOf(rule: Rule, condition: Condition, evidence: Evidence): string | null {
  if (rule.subCause !== undefined) return rule.subCause;
  const pattern = condition.message;
  return pattern instanceof RegExp && evidence.message !== undefined ? namedGroup(pattern, evidence.message) : null;
}

function candidatesFor(layer: Layer, kind: EvidenceKind, named: boolean): Candidate[] {
  return RULES.flatMap((rule) => {
    if (layer === "agent" && !mayComeFromAgent(rule)) return [];
    const when = rule.when.filter(
      (condition) =>
        accepts(condition.layer, layer) &&
        accepts(condition.kind, kind) &&
        (condition.kind !== undefined || !(named || TYPED_KINDS.includes(kind))),
    );
    return when.length > 0 ? [{ rule, when }] : [];
  });
}

/** Text of the agent's own programs is never infrastructure evidence, whatever it says. */
function mayComeFromAgent(rule: Rule): boolean {
  return rule.class === null || /^(agent|task|app)\./.test(rule.class);
}

function accepts(test: Test | undefined, value: string): boolean {
  if (test === undefined) return true;
  if (test instanceof RegExp) return test.test(value);
  return Array.isArray(test) ? test.includes(value) : test === value;
}

function digest(rules: readonly Rule[]): string {
  const content = rules.map(({ id, class: name, when, unless, subCause, confidence }) => [
    id,
    name,
    when,
    unless ?? [],
    subCause ?? null,
    confidence,
  ]);
  const text = JSON.stringify(content, (_, value: unknown) => (value instanceof RegExp ? String(value) : value));
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
