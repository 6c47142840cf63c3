/** Which runs of the list are marked for comparing. Pure. */
import type { ComparePair } from "@/app/compare/compare-parsers";
import type { RunSummary } from "@/server/domain/answers";

/** Marks a run, or takes its mark away; of three the one marked first loses its mark. */
export function togglePick(picked: readonly string[], id: string): string[] {
  return picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id].slice(-2);
}

/** Two marked runs of the list; the one that began earlier is the baseline. Null with fewer. */
export function pickedPair(picked: readonly string[], runs: readonly RunSummary[]): ComparePair | null {
  const known = picked.flatMap((id) => runs.filter((run) => run.id === id));
  const [first, second] = known.sort((a, b) => begin(a) - begin(b));
  return first && second ? { baseline: first.id, candidate: second.id } : null;
}

/** Epoch ms; a run without any time is taken for the newest. */
function begin({ startedAt, endedAt }: RunSummary): number {
  const at = startedAt ?? endedAt;
  return at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
}
