import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { Api } from "./api";
import { CommandError, EXIT, print, printJson, type Terminal } from "./terminal";

interface RulesCheck {
  ok: boolean;
  rules: number;
  rulesVersion: string | null;
  problems: { rule: string; where: string; message: string }[];
}

/** Has the server run the examples of the rules in `file`. Exit 0 all hold, 1 something is wrong. */
export async function checkRules(
  api: Api,
  terminal: Terminal,
  file: string,
  options: { json?: boolean },
): Promise<number> {
  const answer = await api.post<RulesCheck>("/rules/check", JSON.stringify(await readYaml(file)));
  if (options.json) printJson(terminal, answer);
  else if (answer.ok) print(terminal, `${answer.rules} rules, all of their examples hold (${answer.rulesVersion})`);
  else print(terminal, answer.problems.map((one) => `rule ${one.rule}: ${one.where}: ${one.message}`).join("\n"));
  return answer.ok ? EXIT.ok : EXIT.someFailed;
}

async function readYaml(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, "utf8"), { maxAliasCount: 100 });
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    throw new CommandError(`${file}: cannot be read: ${why}`);
  }
}
