/** The operator's own rules: tried before the configuration is changed. */
import { z } from "zod";
import { classifierWith } from "@/server/classify/own/own-classifier";
import type { RulesCheck } from "@/server/classify/own/own-rule";
import { readOwnRules } from "@/server/own-rules";
import { defineRoute, type Route } from "../route";

const checked: z.ZodType<RulesCheck> = z
  .object({
    ok: z.boolean(),
    rules: z.number().int().describe("How many rules were read."),
    rulesVersion: z
      .string()
      .nullable()
      .describe("What the server would call itself by with them; null when one is wrong."),
    problems: z.array(
      z.object({
        rule: z.string().describe("Its id, or its place in the list."),
        where: z.string().describe("The field or example that is wrong."),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: "RulesCheck" });

export const ruleRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "/rules/check",
    need: "viewer",
    operation: "checkRules",
    summary:
      "Runs the examples of own rules (JSON or YAML, a list or under `rules`) through all rules. Changes nothing.",
    query: z.strictObject({}),
    body: z.unknown().meta({ description: "A list of rules, or a configuration with one under `rules`." }),
    answer: { description: "What is wrong with them, if anything.", schema: checked },
    async handle({ body }) {
      const { rules, problems } = readOwnRules(body);
      const ok = problems.length === 0;
      return { ok, rules: rules.length, rulesVersion: ok ? classifierWith(rules).version : null, problems };
    },
  }),
];
