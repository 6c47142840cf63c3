/** Counts of what moves, by where from and where to. Pure. */
import type { IncidentMove, RolloutMove } from "@/server/domain/reclassify";
import type { DryRun } from "./dry-run";

const SAMPLES = 3;
export const SAMPLE_TEXT = 300;

export function incidentMoves({ incidents }: DryRun): IncidentMove[] {
  const moves = new Moves<IncidentMove["samples"][number]>();
  for (const { before, after } of incidents) {
    const shown = after ?? before;
    if (shown === null || before?.class === after?.class) continue;
    const { id, run, summary } = shown;
    moves.add([before?.class ?? null, after?.class ?? null], { id, run, summary: summary.slice(0, SAMPLE_TEXT) });
  }
  return moves.list((key) => ({ before: key[0] ?? null, after: key[1] ?? null }));
}

export function rolloutMoves({ rollouts }: DryRun): RolloutMove[] {
  const moves = new Moves<RolloutMove["samples"][number]>();
  const told = new Map<string, Pick<RolloutMove, "before" | "after">>();
  for (const { before, after } of rollouts) {
    if (before === null || (before.verdict === after.verdict && before.class === after.class)) continue;
    const from = { verdict: before.verdict, class: before.class };
    const to = { verdict: after.verdict, class: after.class };
    const key = JSON.stringify([from, to]);
    told.set(key, { before: from, after: to });
    moves.add([key], { id: after.id, run: before.run, task: before.task, index: before.index });
  }
  return moves.list((key) => told.get(key[0] ?? "") as Pick<RolloutMove, "before" | "after">);
}

/** Counts of moves by their ends, with the first few of each. */
export class Moves<Sample> {
  private readonly found = new Map<string, { n: number; samples: Sample[] }>();

  add(key: (string | null)[], sample: Sample): void {
    const text = JSON.stringify(key);
    const move = this.found.get(text) ?? { n: 0, samples: [] };
    move.n += 1;
    if (move.samples.length < SAMPLES) move.samples.push(sample);
    this.found.set(text, move);
  }

  /** Most frequent first. */
  list<Ends>(endsOf: (key: (string | null)[]) => Ends): (Ends & { n: number; samples: Sample[] })[] {
    return [...this.found]
      .sort(([a, one], [b, other]) => other.n - one.n || (a < b ? -1 : 1))
      .map(([key, move]) => ({ ...endsOf(JSON.parse(key) as (string | null)[]), ...move }));
  }
}
