/** Defaults that apply in silence when a setting is left out, where they are known and have cost rollouts. */
import type { ConfigValue, FlatConfig } from "@/server/domain/rollout";
import { effectiveName } from "./config-facets";

interface SilentDefault {
  path: RegExp;
  value: (config: FlatConfig) => ConfigValue;
}

const DEFAULTS: readonly SilentDefault[] = [
  // The sandbox client's HTTP pool keeps idle sockets for 30 s.
  { path: /(^|\.)keepalive_expiry_s$/, value: () => 30 },
  // One map of resources then serves as requests and as limits.
  { path: /(^|\.)(resource_)?requests\.memory/, value: (config) => limitIn(config, "memoryLimit") },
  { path: /(^|\.)(resource_)?requests\.cpus?$/, value: (config) => limitIn(config, "cpuLimit") },
  { path: /(^|\.)skip_health_check$/, value: () => false },
  { path: /(^|\.)command_retries$/, value: () => 0 },
];

/** The value that applies when `config` leaves out `path`; null when that is not known. */
export function silentDefault(path: string, config: FlatConfig): ConfigValue {
  return DEFAULTS.find((one) => one.path.test(path))?.value(config) ?? null;
}

function limitIn(config: FlatConfig, effective: string): ConfigValue {
  const path = Object.keys(config)
    .sort()
    .find((key) => effectiveName(key) === effective);
  return path === undefined ? null : (config[path] ?? null);
}
