/** The memory limit that a config sets, for the sentence about rollouts that ran out of memory. Pure. */
import { quantity } from "@/server/domain/quantity";
import type { FlatConfig } from "@/server/domain/rollout";

/** Most telling first: what Kubernetes says, then the limit asked for, then a harness's own word. */
const PATHS: readonly { pattern: RegExp; unit: number }[] = [
  { pattern: /^memoryLimit$/, unit: 1 },
  { pattern: /(^|[._])limits?\.memory$/, unit: 1 },
  { pattern: /(^|\.)resources?\.memory$/, unit: 1 },
  { pattern: /(^|[._])memory(_limit)?_(mb|mib)$/, unit: 2 ** 20 },
];
/** Bytes, or null when the config does not say. */
export function memoryLimit(config: FlatConfig): number | null {
  for (const { pattern, unit } of PATHS) {
    const path = Object.keys(config).find((key) => pattern.test(key));
    const bytes = path === undefined ? null : quantity(config[path], unit);
    if (bytes !== null && bytes > 0) return bytes;
  }
  return null;
}
