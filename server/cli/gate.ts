import { writeFile } from "node:fs/promises";
import type { GateAnswer } from "@/server/queries/gate";
import { type Api, RefusedError } from "./api";
import { gateJunit, gateMarkdown, gateText } from "./gate-report";
import { CommandError, EXIT, print, printJson, type Terminal } from "./terminal";

export interface GateOptions {
  maxInfraRate: string;
  run?: string;
  baseline?: string;
  strict?: boolean;
  markdown?: string;
  junit?: string;
  json?: boolean;
}

/** Exit code 0 pass, 1 fail, 2 inconclusive or not to be judged at all. */
export async function gate(api: Api, terminal: Terminal, options: GateOptions): Promise<number> {
  const answer = await ask(api, options);
  if (options.markdown !== undefined) await write(options.markdown, gateMarkdown(answer));
  if (options.junit !== undefined) await write(options.junit, gateJunit(answer));
  if (options.json) printJson(terminal, answer);
  else print(terminal, gateText(answer));
  return answer.exitCode;
}

/** A refusal is no failed run: it exits 2. */
async function ask(api: Api, { maxInfraRate, run, baseline, strict }: GateOptions): Promise<GateAnswer> {
  try {
    const query = { max: maxInfraRate, run, baseline, strict: strict ? "true" : undefined };
    return await api.call<GateAnswer>("/gate", { query });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new CommandError(error.message, { exit: EXIT.cannot, cause: error });
  }
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw new CommandError(`Cannot write ${path}: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  });
}
