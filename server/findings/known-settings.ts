/** Settings that are known to hurt or help, under the names that harnesses give them. One table; findings ask it by id. */

import { quantity } from "@/server/domain/quantity";
import type { ConfigValue, FlatConfig } from "@/server/domain/rollout";
import type { ConfigFacts } from "./finding";

type Kind = "seconds" | "bytes" | "flag" | "number" | "text";

interface KnownSetting {
  kind: Kind;
  /** Paths, the most telling first; matched without case. */
  paths: readonly RegExp[];
  /** The path to write where the config has none. */
  writeAs: string;
}

const LIMITS = String.raw`(?:sandbox_spec\.)?(?:resources?(?:\.limits)?|resource_limits|limits)`;
const REQUESTS = String.raw`(?:resource_requests|resources?\.requests|requests)`;

export const KNOWN_SETTINGS = {
  keepaliveExpiry: {
    kind: "seconds",
    paths: [/(^|[._])keep_?alive_expiry(_m?s|_seconds)?$/, /(^|\.)keep_?alive_timeout(_m?s|_seconds)?$/],
    writeAs: "connection.keepalive_expiry_s",
  },
  serverIdleTimeout: {
    kind: "seconds",
    paths: [/(^|[._])timeout_keep_?alive(_m?s|_seconds)?$/, /(^|[._])server_idle_timeout(_m?s|_seconds)?$/],
    writeAs: "server.timeout_keep_alive",
  },
  skipHealthCheck: {
    kind: "flag",
    paths: [/(^|[._])skip_health_?check$/],
    writeAs: "create.skip_health_check",
  },
  memoryLimit: {
    kind: "bytes",
    paths: [
      new RegExp(String.raw`(^|\.)${LIMITS}\.memory(_mi?b|_gi?b)?$`),
      /(^|[._])memory_limit(_mi?b|_gi?b)?$/,
      /(^|\.)override_memory(_mi?b|_gi?b)?$/,
    ],
    writeAs: "resources.memory_mib",
  },
  memoryRequest: {
    kind: "bytes",
    paths: [new RegExp(String.raw`(^|\.)${REQUESTS}\.memory(_mi?b|_gi?b)?$`), /(^|[._])memory_request(_mi?b|_gi?b)?$/],
    writeAs: "resource_requests.memory_mib",
  },
  taskMemory: {
    kind: "bytes",
    paths: [
      /(^|\.)(task|task_spec|problem|instance)\.(resources\.|environment\.)?memory(_mi?b|_gi?b)?$/,
      /(^|[._])task_memory(_mi?b|_gi?b)?$/,
    ],
    writeAs: "task.memory_mib",
  },
  commandRetries: { kind: "number", paths: [/(^|[._])command_retries$/], writeAs: "operations.command_retries" },
  createTimeout: {
    kind: "seconds",
    paths: [/(^|\.)create\.(request_)?timeout(_m?s|_seconds)?$/, /(^|[._])create_timeout(_m?s|_seconds)?$/],
    writeAs: "create.timeout_s",
  },
  readyTimeout: {
    kind: "seconds",
    paths: [/(^|[._])ready_timeout(_m?s|_seconds)?$/],
    writeAs: "create.ready_timeout_s",
  },
  transportBackend: { kind: "text", paths: [/(^|[._])transport_backend$/], writeAs: "connection.transport_backend" },
  useServerProxy: { kind: "flag", paths: [/(^|[._])use_server_proxy$/], writeAs: "connection.use_server_proxy" },
  concurrency: {
    kind: "number",
    paths: [/(^|\.)(max_)?concurren(cy|t)(_rollouts)?$/, /(^|\.)num_(parallel|concurrent)\w*$/],
    writeAs: "concurrency",
  },
  sandboxTtl: { kind: "seconds", paths: [/(^|[._])ttl(_m?s|_seconds)?$/], writeAs: "ttl_s" },
  attribution: { kind: "flag", paths: [/(^|\.)attribution\.enabled$/], writeAs: "attribution.enabled" },
  attributionRun: { kind: "text", paths: [/(^|\.)attribution\.run(_id)?$/], writeAs: "attribution.run" },
} as const satisfies Record<string, KnownSetting>;
export type SettingId = keyof typeof KNOWN_SETTINGS;

/** A setting as the run has it: `value` in seconds, bytes, or as it is; null where it was set to null or cannot be read. */
export interface Reading {
  path: string;
  raw: ConfigValue;
  value: number | boolean | string | null;
  /** Rollouts with this value where the run has several; null when all have it. */
  n: number | null;
}

/** Every value of a setting in the run, under the first of its names that the config has; none when it was not set. */
export function readings(config: Pick<ConfigFacts, "common" | "varying">, id: SettingId): Reading[] {
  const { kind, paths }: KnownSetting = KNOWN_SETTINGS[id];
  const known = [...Object.keys(config.common), ...Object.keys(config.varying)].sort();
  for (const pattern of paths) {
    const path = known.find((one) => pattern.test(one.toLowerCase()));
    if (path === undefined) continue;
    const raw = config.varying[path] ?? [{ value: config.common[path] ?? null, n: null }];
    return raw.map(({ value, n }) => ({ path, raw: value, value: valueAs(kind, path, value), n }));
  }
  return [];
}

/** The same of one config alone. */
export function readingIn(values: FlatConfig, id: SettingId): Reading | null {
  return readings({ common: values, varying: {} }, id)[0] ?? null;
}

/** The value that all rollouts have, as a number; null when it is not set, varies or is none. */
export function numberIn(config: Pick<ConfigFacts, "common" | "varying">, id: SettingId): number | null {
  const all = readings(config, id);
  const value = all.length === 1 ? all[0]?.value : undefined;
  return typeof value === "number" ? value : null;
}

function valueAs(kind: Kind, path: string, raw: ConfigValue): Reading["value"] {
  if (raw === null) return null;
  if (kind === "text") return String(raw);
  if (kind === "flag") return flagOf(raw);
  if (typeof raw === "boolean") return null;
  if (kind === "seconds") return secondsOf(path, raw);
  const number = quantity(raw);
  if (number === null || kind === "number") return number;
  return typeof raw === "string" && /[a-z]/i.test(raw) ? number : number * bareUnit(path);
}

function flagOf(raw: ConfigValue): boolean | null {
  const text = String(raw).trim().toLowerCase();
  if (["true", "1", "yes", "on"].includes(text)) return true;
  return ["false", "0", "no", "off"].includes(text) ? false : null;
}

function secondsOf(path: string, raw: string | number): number | null {
  const found = /^(\d+(?:\.\d+)?)\s*(ms|s|m)?$/.exec(String(raw).trim());
  if (!found) return null;
  const unit = found[2] ?? (/_ms$/i.test(path) ? "ms" : "s");
  return Number(found[1]) * (unit === "ms" ? 0.001 : unit === "m" ? 60 : 1);
}

/** Bytes that a bare number under this path counts. */
export function bareUnit(path: string): number {
  if (/_mi?b$/i.test(path)) return 2 ** 20;
  return /_gi?b$/i.test(path) ? 2 ** 30 : 1;
}
