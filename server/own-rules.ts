/** The operator's own rules: read from the configuration file, checked with their examples before anything is judged by them. */
import { z } from "zod";
import { checkOwnRules } from "@/server/classify/own/own-check";
import { type OwnRuleProblem, type OwnRuleSpec, problemText } from "@/server/classify/own/own-rule";
import { readConfigFile } from "@/server/config-file";
import { CoalmineError } from "@/server/domain/errors";

const MOST_RULES = 500;
const MOST_EXAMPLES = 100;

const text = z.string().min(1).max(4_000);
const status = z.number().int().min(100).max(599);
const match = z.strictObject({
  contains: text.optional(),
  regex: text.optional(),
  exception: text.optional(),
  status: status.optional(),
  source: text.optional(),
  format: text.optional(),
});
const example = z.union([
  text,
  z.strictObject({
    message: text.optional(),
    exception: text.optional(),
    status: status.optional(),
    source: text.optional(),
    format: text.optional(),
  }),
]);
const rule: z.ZodType<OwnRuleSpec> = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,79}$/, "must be lower-case letters, digits, dots, dashes and underscores"),
  match,
  class: text,
  why: z.string().min(1).max(500),
  yes: z.array(example).min(1, "needs at least one example that the rule is for").max(MOST_EXAMPLES),
  no: z.array(example).min(1, "needs at least one example that the rule is not for").max(MOST_EXAMPLES),
});

export interface CheckedRules {
  rules: OwnRuleSpec[];
  problems: OwnRuleProblem[];
}

/** A list of rules, or a configuration with one under `rules`. Never throws: what is wrong is told. */
export function readOwnRules(document: unknown): CheckedRules {
  const listed = Array.isArray(document) ? document : ((document as { rules?: unknown } | null)?.rules ?? []);
  if (!Array.isArray(listed)) return { rules: [], problems: [{ rule: "", where: "rules", message: "must be a list" }] };
  if (listed.length > MOST_RULES)
    return { rules: [], problems: [{ rule: "", where: "rules", message: `has more than ${MOST_RULES}` }] };
  const rules: OwnRuleSpec[] = [];
  const problems: OwnRuleProblem[] = [];
  for (const [i, given] of listed.entries()) {
    const parsed = rule.safeParse(given);
    if (parsed.success) rules.push(parsed.data);
    else problems.push(...parsed.error.issues.map((issue) => shapeProblem(given, i, issue)));
  }
  return { rules, problems: problems.length > 0 ? problems : checkOwnRules(rules) };
}

/** Null: no file is configured. Throws `invalid` with the file, the rule and the failing example. */
export async function loadOwnRules(path: string | null): Promise<OwnRuleSpec[]> {
  if (path === null) return [];
  const { rules, problems } = readOwnRules(await readConfigFile(path));
  const [first] = problems;
  if (!first) return rules;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  throw new CoalmineError("invalid", `${path}: ${problemText(first)}${more}`);
}

function shapeProblem(given: unknown, position: number, issue: z.core.$ZodIssue): OwnRuleProblem {
  const id = (given as { id?: unknown } | null)?.id;
  return {
    rule: typeof id === "string" && id !== "" ? id : `#${position + 1}`,
    where: issue.path.join(".") || "the rule",
    message: issue.message,
  };
}
