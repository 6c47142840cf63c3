/** Does a run hold what the reader typed? Pure. */
import type { RunSummary } from "@/server/domain/answers";

/** Looks at id, name, labels and settings, case-insensitive; several words must all be there. */
export function matching(run: RunSummary, text: string | null): boolean {
  if (text === null || text.trim() === "") return true;
  const held = [
    run.id,
    run.name,
    ...Object.entries(run.labels).map(([name, value]) => `${name} ${value}`),
    ...Object.entries(run.config.common).map(([path, value]) => `${path} ${value}`),
  ]
    .join("\n")
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => held.includes(word));
}
