/** Settings that a Gym row carries, flattened, from an allow-list: prompts, problems and secrets never enter. */
import type { FlatConfig } from "@/server/domain/rollout";
import { isObject, type JsonObject, objectAt } from "./json-fields";

/** Paths under `instance_config` (or Harbor's environment) that describe how the rollout was run. */
const ALLOWED =
  /^(container|container_formatter|sandbox_provider|resolved_sandbox_provider|sandbox_spec|concurrency|agent_runtime_source|sandbox_resource_profiles|\w+_timeout|\w+_memory_limit_mb|override_cpus|override_memory_mb|type|import_path|kwargs|ttl_s|resources|create|exec|probe|connection|operations|spec|environment)$/;
const SECRET = /api_?key|token|secret|passw|authorization|credential|cookie|auth$/i;
const MAX_DEPTH = 6;
const MAX_PATHS = 200;
const MAX_TEXT = 300;

export function gymConfig(row: JsonObject): FlatConfig {
  const config: FlatConfig = {};
  addAllowed(config, objectAt(row, "instance_config"));
  addAllowed(config, objectAt(row, "metadata", "config", "environment"));
  const image = row.image ?? row.container;
  if (typeof image === "string" && config.container === undefined) config.image = image.slice(0, MAX_TEXT);
  return config;
}

function addAllowed(config: FlatConfig, settings: JsonObject | undefined): void {
  for (const [name, value] of Object.entries(settings ?? {})) {
    if (ALLOWED.test(name)) flatten(config, name === "container" ? "image" : name, value, 0);
  }
}

/** Adds `value` under `path`; arrays of plain values become one text. */
export function flatten(config: FlatConfig, path: string, value: unknown, depth: number): void {
  if (SECRET.test(path) || depth > MAX_DEPTH || Object.keys(config).length >= MAX_PATHS) return;
  if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) flatten(config, `${path}.${name}`, inner, depth + 1);
  } else if (Array.isArray(value)) {
    config[path] = JSON.stringify(value).slice(0, MAX_TEXT);
  } else if (typeof value === "string") {
    config[path] = value.slice(0, MAX_TEXT);
  } else if (typeof value === "number" || typeof value === "boolean" || value === null) {
    config[path] = value;
  }
}
