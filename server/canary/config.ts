/** Reads the canary targets from the operator's configuration file. Keys stay in the environment. */
import { readConfigFile } from "@/server/config-file";
import { CoalmineError } from "@/server/domain/errors";
import { configSchema, type Target } from "./target";

export interface CanaryConfig {
  targets: Target[];
  /** Metadata key by which harnesses name their run on a sandbox. */
  runLabel: string;
}

export const NO_CONFIG: CanaryConfig = { targets: [], runLabel: "nemo-gym.nvidia.com/run" };

/** Null: no file is configured. Throws `invalid` with the file, the place and the reason. */
export async function loadConfig(path: string | null): Promise<CanaryConfig> {
  if (path === null) return NO_CONFIG;
  const parsed = configSchema.safeParse(await readConfigFile(path));
  if (parsed.success) return { targets: parsed.data.targets, runLabel: parsed.data.runLabel ?? NO_CONFIG.runLabel };
  const issue = parsed.error.issues[0];
  throw new CoalmineError("invalid", `${path}: ${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

/** Null: the target needs none, or its variable is not set. */
export function keyOf(target: Target, env: Readonly<Record<string, string | undefined>>): string | null {
  const key = target.apiKeyEnv === undefined ? undefined : env[target.apiKeyEnv];
  return key === undefined || key === "" ? null : key;
}
