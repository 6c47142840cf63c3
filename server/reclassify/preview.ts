/** What today's readers and rules would change, counted before anything is. */

import type { Classifier } from "@/server/classify/classifier";
import type { Observation } from "@/server/domain/facts";
import type { Judgement } from "@/server/domain/judgement";
import type { EvidenceMove, ReclassifyPreview, RereadCount } from "@/server/domain/reclassify";
import type { Ref } from "@/server/domain/refs";
import type { Store } from "@/server/domain/store";
import { type Changes, dryRun } from "./dry-run";
import { incidentMoves, Moves, rolloutMoves, SAMPLE_TEXT } from "./moves";
import { RereadChanges, type Rereader, RereadTally } from "./rereader";
import { staleRows } from "./stale-rows";

/** Things touched by changed evidence that are derived for a preview; more would take minutes and tell the same. */
const MOST_REFS = 20_000;
/** Lines that a preview reads again; the rest is told from them. */
const MOST_LINES = 2_000_000;

export interface PreviewOptions {
  signal: AbortSignal;
  onProgress(done: number): void;
  /** Which deliveries are judged anew. */
  isWanted(batch: string): boolean;
  mostRefs?: number;
  mostLines?: number;
}

/** What is to be read again, and by what. */
export interface ToReread {
  rereader: Rereader;
  /** Oldest first. */
  batches: string[];
}

export async function previewOf(
  store: Store,
  classifier: Classifier,
  toReread: ToReread | null,
  options: PreviewOptions,
): Promise<ReclassifyPreview> {
  const look = new Look(options.mostRefs ?? MOST_REFS);
  const read = toReread && (await look.reread(toReread, options));
  const lines = read?.count.lines ?? 0;
  const done = (n: number) => options.onProgress(lines + n);
  const isWanted = (batch: string) => options.isWanted(batch) && !read?.whole.has(batch);
  await look.rejudge(store, classifier, { ...options, isWanted, onProgress: done });
  const derived = await dryRun(store, look.changes, [...look.refs], options.signal);
  return {
    rulesVersion: classifier.version,
    reread: read?.count ?? null,
    rereadOf: read?.of ?? null,
    observations: look.observations,
    changed: look.changed,
    evidence: look.evidence.list((key) => ({ before: key[0] ?? null, after: key[1] ?? null })),
    incidents: incidentMoves(derived),
    rollouts: rolloutMoves(derived),
    derivedOnly: look.isCut ? look.refs.size : null,
  };
}

class Look {
  readonly evidence = new Moves<EvidenceMove["samples"][number]>();
  readonly judgements = new Map<string, Judgement>();
  private readonly again: RereadChanges;
  observations = 0;
  changed = 0;
  isCut = false;

  constructor(private readonly mostRefs: number) {
    this.again = new RereadChanges(mostRefs);
  }

  get refs(): Set<Ref> {
    return this.again.refs;
  }

  get changes(): Changes {
    const { evidence, links, facts } = this.again;
    return { judgements: this.judgements, evidence, links, facts };
  }

  /** The newest deliveries first: of many lines only so many are looked at. `whole`: those of which everything was read again. */
  async reread(
    { rereader, batches }: ToReread,
    { signal, onProgress, mostLines = MOST_LINES }: PreviewOptions,
  ): Promise<{ count: RereadCount; of: number | null; whole: Set<string> }> {
    const tally = new RereadTally();
    const whole = new Set<string>();
    const onStep: Parameters<Rereader["read"]>[1]["onStep"] = (step) => {
      tally.step(step);
      this.again.step(step);
      for (const { before, after } of step.moves) this.moved(before, after);
      onProgress(tally.count.lines);
    };
    for (const batch of [...batches].reverse()) {
      if (tally.count.lines >= mostLines) break;
      const left = await rereader.read(batch, { write: false, signal, onStep });
      if (left) tally.delivery(left);
      if (left && Object.values(left).every((n) => n === 0)) whole.add(batch);
    }
    this.isCut ||= this.again.cut;
    const isSample = tally.count.lines >= mostLines && tally.count.deliveries < batches.length;
    return { count: tally.count, of: isSample ? batches.length : null, whole };
  }

  async rejudge(store: Store, classifier: Classifier, { signal, isWanted, onProgress }: PreviewOptions): Promise<void> {
    for await (const { rows } of staleRows(store, classifier, signal, isWanted)) {
      for (const { observation, judgement, changed } of rows) {
        this.observations += 1;
        if (!changed || this.again.evidence.has(observation.key)) continue;
        this.changed += 1;
        if (this.refs.size >= this.mostRefs) this.isCut = true;
        else {
          this.judgements.set(observation.key, judgement);
          for (const ref of observation.refs) this.refs.add(ref);
        }
        this.moved(observation, { ...observation, ...judgement });
      }
      onProgress(this.observations);
    }
  }

  /** What is no failure before and after moves nothing that is shown. */
  private moved(before: Observation | null, after: Observation | null): void {
    const [from, to] = [before?.class ?? null, after?.class ?? null];
    const shown = after ?? before;
    if (from === to || !shown) return;
    const { at, source, text, rule } = shown;
    this.evidence.add([from, to], { at: isoOf(at), source, rule, text: text.slice(0, SAMPLE_TEXT) });
  }
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
