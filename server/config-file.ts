/** The operator's configuration file, whose parts (canary targets, rules of their own) are checked by who reads them. */
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { CoalmineError } from "@/server/domain/errors";

/** What the file says as YAML; an empty one says nothing. Throws `invalid` when it cannot be read. */
export async function readConfigFile(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, "utf8"), { maxAliasCount: 100 }) ?? {};
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    throw new CoalmineError("invalid", `${path}: cannot be read: ${why}`);
  }
}
