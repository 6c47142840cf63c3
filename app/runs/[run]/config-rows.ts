/** A run's settings as rows: what was asked for beside what Kubernetes says was set. Pure. */

import { bytes, plural } from "@/app/_ui/format";
import type { RunSummary } from "@/server/domain/answers";
import type { ConfigValue } from "@/server/domain/rollout";

export interface ConfigRow {
  path: string;
  /** As asked for; several values with their rollouts where it varies. */
  requested: string;
  varies: boolean;
  /** As set; null where Kubernetes says nothing of it. */
  effective: string | null;
  /** Both are known and not the same. */
  differs: boolean;
}

/** Which setting a fact of Kubernetes answers, most telling first, and the bytes of one unit of it. */
const ANSWERS: Record<string, readonly [pattern: RegExp, unit: number][]> = {
  memoryLimit: [
    [/(^|\.)resources?\.memory_mib$/, 2 ** 20],
    [/(^|[._])limits?\.memory$/, 1],
    [/(^|\.)resources?\.memory$/, 1],
  ],
  memoryRequest: [
    [/requests?\.memory_mib$/, 2 ** 20],
    [/requests?\.memory$/, 1],
  ],
  cpuLimit: [
    [/(^|\.)resources?\.cpus?$/, 1],
    [/(^|[._])limits?\.cpus?$/, 1],
  ],
  cpuRequest: [[/requests?\.cpus?$/, 1]],
  ttlS: [[/(^|\.)ttl(_s)?$/, 1]],
};

/** A fact of Kubernetes that no setting asked for, in words. */
const FACTS: Record<string, string> = {
  memoryLimit: "memory limit",
  memoryRequest: "memory request",
  cpuLimit: "CPU limit",
  cpuRequest: "CPU request",
  ttlS: "TTL, s",
};

export function configRows(config: RunSummary["config"]): ConfigRow[] {
  const rows = new Map<string, ConfigRow>();
  const add = (path: string, requested: string, varies: boolean) =>
    rows.set(path, { path, requested, varies, effective: null, differs: false });
  for (const [path, value] of Object.entries(config.common)) add(path, valueText(value), false);
  for (const [path, values] of Object.entries(config.varying)) {
    add(path, values.map(({ value, n }) => `${valueText(value)} (${plural(n, "rollout")})`).join(", "), true);
  }
  for (const [name, value] of Object.entries(config.effective)) {
    const effective = effectiveText(name, value);
    const answered = answeredBy(name, rows);
    if (answered === null) {
      rows.set(name, { path: FACTS[name] ?? name, requested: "", varies: false, effective, differs: false });
      continue;
    }
    const asked = Number(config.common[answered.row.path]);
    const comparable = !answered.row.varies && typeof value === "number" && Number.isFinite(asked);
    rows.set(answered.row.path, { ...answered.row, effective, differs: comparable && asked * answered.unit !== value });
  }
  return [...rows.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function answeredBy(name: string, rows: ReadonlyMap<string, ConfigRow>): { row: ConfigRow; unit: number } | null {
  for (const [pattern, unit] of ANSWERS[name] ?? []) {
    for (const row of rows.values()) if (pattern.test(row.path)) return { row, unit };
  }
  return null;
}

function valueText(value: ConfigValue): string {
  return value === null ? "not set" : String(value);
}

function effectiveText(name: string, value: ConfigValue): string {
  return name.startsWith("memory") && typeof value === "number" ? bytes(value) : valueText(value);
}

/** The line of a config file: what a copy button gives. */
export function configLines(rows: readonly ConfigRow[]): string {
  return rows
    .filter((row) => !row.varies && row.requested !== "")
    .map((row) => `${row.path}: ${row.requested}`)
    .join("\n");
}
