/** What tells runs apart. Pure. */
import type { RunSummary } from "@/server/domain/answers";
import type { ConfigValue } from "@/server/domain/rollout";

export interface Setting {
  path: string;
  value: ConfigValue;
}

/** Chips shown per run. */
const MOST = 3;

/** Per run, the settings in which it differs from any other run of the list, those that differ most often first. */
export function distinguishing(runs: readonly RunSummary[]): Map<string, Setting[]> {
  const values = new Map<string, Map<string, number>>();
  for (const run of runs) {
    for (const [path, value] of Object.entries(run.config.common)) {
      const seen = values.get(path) ?? new Map<string, number>();
      seen.set(String(value), (seen.get(String(value)) ?? 0) + 1);
      values.set(path, seen);
    }
  }
  const told = [...values]
    .filter(([, seen]) => seen.size > 1 || [...seen.values()].some((n) => n < runs.length))
    .sort((a, b) => b[1].size - a[1].size || (a[0] < b[0] ? -1 : 1))
    .map(([path]) => path);
  return new Map(
    runs.map((run) => [
      run.id,
      told
        .filter((path) => path in run.config.common)
        .slice(0, MOST)
        .map((path) => ({ path, value: run.config.common[path] ?? null })),
    ]),
  );
}

/** `resources.memory_mib` → `memory_mib`: the part that people say. */
export function shortPath(path: string): string {
  return path.split(".").at(-1) ?? path;
}
