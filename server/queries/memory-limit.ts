/** The memory limit that a config sets, for the sentence about rollouts that ran out of memory. Pure. */
import type { ConfigValue, FlatConfig } from "@/server/domain/rollout";

/** Most telling first: what Kubernetes says, then the limit asked for, then a harness's own word. */
const PATHS: readonly { pattern: RegExp; unit: number }[] = [
  { pattern: /^memoryLimit$/, unit: 1 },
  { pattern: /(^|[._])limits?\.memory$/, unit: 1 },
  { pattern: /(^|\.)resources?\.memory$/, unit: 1 },
  { pattern: /(^|[._])memory(_limit)?_(mb|mib)$/, unit: 2 ** 20 },
];
const SUFFIX: Record<string, number> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Bytes, or null when the config does not say. */
export function memoryLimit(config: FlatConfig): number | null {
  for (const { pattern, unit } of PATHS) {
    const path = Object.keys(config).find((key) => pattern.test(key));
    const bytes = path === undefined ? null : quantity(config[path] ?? null, unit);
    if (bytes !== null) return bytes;
  }
  return null;
}

/** A Kubernetes quantity (`2Gi`) or a bare number of `unit` bytes. */
function quantity(value: ConfigValue, unit: number): number | null {
  const found = /^(\d+(?:\.\d+)?)(k|[MGT]|[KMGT]i)?$/.exec(String(value).trim());
  if (!found) return null;
  const bytes = Number(found[1]) * (found[2] ? (SUFFIX[found[2]] ?? 1) : unit);
  return bytes > 0 ? bytes : null;
}

/** `2 GiB`, `1.5 GiB`, `512 MiB`. */
export function bytesText(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib >= 1 ? `${trim(gib)} GiB` : `${trim(bytes / 2 ** 20)} MiB`;
}

function trim(value: number): string {
  return String(Math.round(value * 10) / 10);
}
