/** The same setting under several names: what a harness asks for, and what Kubernetes says was set. */
import { quantity } from "@/server/domain/quantity";
import type { ConfigValue } from "@/server/domain/rollout";

interface Facet {
  /** Name of the fact that says what was really set. */
  effective: string;
  /** Paths under which harnesses ask for it. */
  requested: RegExp;
  /** Bytes for memory, cores for cpu, seconds for times. */
  unit: "bytes" | "cores" | "seconds";
}

const FACETS: readonly Facet[] = [
  {
    effective: "memoryRequest",
    requested: /(^|\.)(resource_requests|resources?\.requests|requests)\.memory(_mib|_mb)?$/,
    unit: "bytes",
  },
  {
    effective: "cpuRequest",
    requested: /(^|\.)(resource_requests|resources?\.requests|requests)\.cpus?$/,
    unit: "cores",
  },
  {
    effective: "memoryLimit",
    requested:
      /(^|\.)(resources?|resource_limits|resources?\.limits|limits)\.memory(_mib|_mb)?$|(^|[._])memory_limit_(mb|mib)$/,
    unit: "bytes",
  },
  {
    effective: "cpuLimit",
    requested: /(^|\.)(resources?|resource_limits|resources?\.limits|limits)\.cpus?$/,
    unit: "cores",
  },
  { effective: "ttlS", requested: /(^|\.)ttl_s$/, unit: "seconds" },
];

/** Name of the fact that tells what became of a requested setting; null when none does. */
export function effectiveName(path: string): string | null {
  return FACETS.find((facet) => facet.requested.test(path))?.effective ?? null;
}

/** A value in the unit of its setting, so that `2Gi`, 2048 MiB and 2147483648 compare equal; other values as they are. */
export function canonical(path: string, value: ConfigValue): ConfigValue {
  const facet = FACETS.find((one) => one.effective === path || one.requested.test(path));
  if (!facet || value === null || typeof value === "boolean") return value;
  const unit = facet.unit === "bytes" && /_mi?b$/.test(path) ? 2 ** 20 : 1;
  return quantity(value, unit) ?? value;
}
