/** Runs the examples of own rules through the whole list, as the built-in ones are run, and says all that is wrong. */
import type { Evidence } from "@/server/domain/evidence";
import type { Origination } from "../classifier";
import { CLASSES, DERIVED_ONLY } from "../taxonomy";
import { classifierWith } from "./own-classifier";
import type { OwnExample, OwnRuleProblem, OwnRuleSpec } from "./own-rule";
import { compilePattern } from "./pattern";
import { PatternError } from "./pattern-parse";

/** Empty when all is well. Only rules that are well in themselves have their examples run. */
export function checkOwnRules(rules: readonly OwnRuleSpec[]): OwnRuleProblem[] {
  const wrong = rules.flatMap((rule, i) => [
    ...(rules.findIndex((one) => one.id === rule.id) === i ? [] : [problem(rule, "id", "is there twice")]),
    ...classProblems(rule),
    ...matchProblems(rule),
  ]);
  return wrong.length > 0 ? wrong : rules.flatMap((rule) => exampleProblems(rule, rules));
}

function classProblems(rule: OwnRuleSpec): OwnRuleProblem[] {
  const { class: name } = rule;
  if (name === "none") return [];
  if (!CLASSES.some((info) => info.id === name))
    return [problem(rule, "class", `"${name}" is no class; see /api/v1/taxonomy, or "none" for no failure`)];
  if (name === "unknown") return [problem(rule, "class", "unknown is what the message is without a rule")];
  if (DERIVED_ONLY.includes(name)) return [problem(rule, "class", `${name} is concluded from several records only`)];
  return [];
}

function matchProblems(rule: OwnRuleSpec): OwnRuleProblem[] {
  const { contains, regex, exception, status } = rule.match;
  if ([contains, regex, exception, status].every((one) => one === undefined))
    return [problem(rule, "match", "needs one of contains, regex, exception, status")];
  if (regex === undefined) return [];
  try {
    if (!compilePattern(regex).test("")) return [];
    return [problem(rule, "match.regex", "holds for any text")];
  } catch (error) {
    if (error instanceof PatternError) return [problem(rule, "match.regex", error.message)];
    throw error;
  }
}

function exampleProblems(rule: OwnRuleSpec, rules: readonly OwnRuleSpec[]): OwnRuleProblem[] {
  const { classify } = classifierWith(rules);
  const judge = (example: OwnExample) => classify(evidenceOf(example, rule), fromOf(example, rule)).rule;
  const own = `own.${rule.id}`;
  const yes = rule.yes.flatMap((example, i) => {
    const found = judge(example);
    if (found === own) return [];
    const why = found === null ? "no rule holds" : `rule ${found} comes first`;
    return [problem(rule, `yes ${i + 1}`, `${why}: ${shown(example)}`)];
  });
  const no = rule.no.flatMap((example, i) =>
    judge(example) === own ? [problem(rule, `no ${i + 1}`, `the rule holds for it: ${shown(example)}`)] : [],
  );
  return [...yes, ...no];
}

/** A harness's report of a failure: the plainest record that is `unknown` when no rule explains it. */
function evidenceOf(example: OwnExample, { match }: OwnRuleSpec): Evidence {
  const { message, exception, status } =
    typeof example === "string" ? { message: example, exception: match.exception, status: match.status } : example;
  const evidence: Evidence = { layer: "harness", kind: "error" };
  if (message !== undefined) evidence.message = message;
  if (exception !== undefined) evidence.errorType = exception;
  if (status !== undefined) evidence.status = status;
  return evidence;
}

function fromOf(example: OwnExample, { match }: OwnRuleSpec): Origination {
  const { source = "", format = "" } = typeof example === "string" ? match : example;
  return { source, format };
}

function problem({ id }: OwnRuleSpec, where: string, message: string): OwnRuleProblem {
  return { rule: id, where, message };
}

function shown(example: OwnExample): string {
  return JSON.stringify(example).slice(0, 200);
}
