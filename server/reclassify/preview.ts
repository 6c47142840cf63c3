/** What today's rules would change, counted before anything is. */

import type { Classifier } from "@/server/classify/classifier";
import type { Judgement } from "@/server/domain/judgement";
import type { EvidenceMove, IncidentMove, ReclassifyPreview, RolloutMove } from "@/server/domain/reclassify";
import type { Ref } from "@/server/domain/refs";
import type { Store } from "@/server/domain/store";
import { type DryRun, dryRun } from "./dry-run";
import { staleRows } from "./stale-rows";

/** Things touched by changed evidence that are derived for a preview; more would take minutes and tell the same. */
const MOST_REFS = 20_000;
const SAMPLES = 3;
const SAMPLE_TEXT = 300;

interface PreviewOptions {
  signal: AbortSignal;
  onProgress(done: number): void;
  mostRefs?: number;
}

export async function previewOf(
  store: Store,
  classifier: Classifier,
  options: PreviewOptions,
): Promise<ReclassifyPreview> {
  const { signal, onProgress, mostRefs = MOST_REFS } = options;
  const evidence = new Moves<EvidenceMove["samples"][number]>();
  const refs = new Set<Ref>();
  const judgements = new Map<string, Judgement>();
  let [observations, changed, cut] = [0, 0, false];
  for await (const { rows } of staleRows(store, classifier, signal)) {
    for (const { observation, judgement, changed: isOther } of rows) {
      observations += 1;
      if (!isOther) continue;
      changed += 1;
      if (refs.size >= mostRefs) cut = true;
      else {
        judgements.set(observation.key, judgement);
        for (const ref of observation.refs) refs.add(ref);
      }
      if (observation.class === judgement.class) continue;
      const { at, source, text } = observation;
      const sample = { at: isoOf(at), source, rule: judgement.rule, text: text.slice(0, SAMPLE_TEXT) };
      evidence.add([observation.class, judgement.class], sample);
    }
    onProgress(observations);
  }
  const derived = await dryRun(store, judgements, [...refs], signal);
  return {
    rulesVersion: classifier.version,
    observations,
    changed,
    evidence: evidence.list((key) => ({ before: key[0] ?? null, after: key[1] ?? null })),
    incidents: incidentMoves(derived),
    rollouts: rolloutMoves(derived),
    derivedOnly: cut ? refs.size : null,
  };
}

function incidentMoves({ incidents }: DryRun): IncidentMove[] {
  const moves = new Moves<IncidentMove["samples"][number]>();
  for (const { before, after } of incidents) {
    const shown = after ?? before;
    if (shown === null || before?.class === after?.class) continue;
    const { id, run, summary } = shown;
    moves.add([before?.class ?? null, after?.class ?? null], { id, run, summary: summary.slice(0, SAMPLE_TEXT) });
  }
  return moves.list((key) => ({ before: key[0] ?? null, after: key[1] ?? null }));
}

function rolloutMoves({ rollouts }: DryRun): RolloutMove[] {
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
class Moves<Sample> {
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

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
