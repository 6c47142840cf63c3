/** Which settings tell two configs apart. Ids, paths and problems never enter, or every rollout would be its own stratum. */
import { createHash } from "node:crypto";
import type { FlatConfig } from "@/server/domain/rollout";

const CAN_MATTER =
  /(^|\.)(resources?|resource_requests|resource_limits|limits|requests|image|transport|transport_backend|connection|create|probe|operations?|timeouts?|provider|concurrency|keepalive_expiry_s|command_retries|ttl_s|memory_mib|memory_limit_mb|cpus?)(\.|$)/;
const NEVER =
  /(^|\.)(id|ids|uid|path|paths|dir|url|host|port|instance_id|problem_info|session|token|api_key|metadata)(\.|$)/;

/** The settings of `config` that can matter, in canonical order; an image without its tag and digest. */
export function mattering(config: FlatConfig): FlatConfig {
  const kept: FlatConfig = {};
  for (const path of Object.keys(config).sort()) {
    if (!CAN_MATTER.test(path) || NEVER.test(path)) continue;
    const value = config[path] ?? null;
    kept[path] = /(^|\.)image$/.test(path) && typeof value === "string" ? imageRepository(value) : value;
  }
  return kept;
}

/** `registry/repo/name:tag@sha256:…` → `registry/repo`: the last part names the task in most fleets. */
export function imageRepository(image: string): string {
  const bare = image.replace(/@sha256:.*$/, "").replace(/:[^/:]*$/, "");
  const slash = bare.lastIndexOf("/");
  return slash > 0 ? bare.slice(0, slash) : bare;
}

/** 12 hex digits over what can matter, or null when nothing is known of the config. */
export function configKey(runConfig: FlatConfig, rolloutConfig: FlatConfig): string | null {
  const kept = mattering({ ...runConfig, ...rolloutConfig });
  if (Object.keys(kept).length === 0) return null;
  return createHash("sha256").update(JSON.stringify(kept)).digest("hex").slice(0, 12);
}
