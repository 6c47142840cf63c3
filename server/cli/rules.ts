import { problemText, type RulesCheck } from "@/server/classify/own/own-rule";
import { readConfigFile } from "@/server/config-file";
import { CoalmineError } from "@/server/domain/errors";
import type { Api } from "./api";
import { CommandError, EXIT, print, printJson, type Terminal } from "./terminal";

/** Has the server run the examples of the rules in `file`. Exit 0 all hold, 1 something is wrong. */
export async function checkRules(
  api: Api,
  terminal: Terminal,
  file: string,
  options: { json?: boolean },
): Promise<number> {
  const answer = await api.post<RulesCheck>("/rules/check", JSON.stringify(await documentOf(file)));
  if (options.json) printJson(terminal, answer);
  else if (answer.ok) print(terminal, `${answer.rules} rules, all of their examples hold (${answer.rulesVersion})`);
  else print(terminal, answer.problems.map(problemText).join("\n"));
  return answer.ok ? EXIT.ok : EXIT.someFailed;
}

async function documentOf(file: string): Promise<unknown> {
  return readConfigFile(file).catch((error: unknown) => {
    throw error instanceof CoalmineError ? new CommandError(error.message) : error;
  });
}
