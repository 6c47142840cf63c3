/** Reading archived lines again, as this job asks for it; ingest, which has the readers, does it. */
import type { Fact, Link, Observation } from "@/server/domain/facts";
import type { NotAgain, RereadCount } from "@/server/domain/reclassify";
import { NOT_AGAIN } from "@/server/domain/reclassify";
import type { Changes } from "./dry-run";

export interface RereadStepSeen {
  lines: number;
  /** Before null: it comes; after null: it goes. */
  moves: { before: Observation | null; after: Observation | null }[];
  rows: { links: Link[]; facts: Fact[] };
}

export interface Rereader {
  /** Of the formats and envelopes. */
  version: string;
  /** What of a delivery was not read again; null when it is gone. Throws when the signal is aborted. */
  read(
    batch: string,
    options: { write: boolean; signal: AbortSignal; onStep(step: RereadStepSeen): void },
  ): Promise<Record<NotAgain, number> | null>;
  /** Joins and derives what is queued. */
  settle(): Promise<unknown>;
}

/** Counts what reading again changes, delivery after delivery. */
export class RereadTally {
  readonly count: RereadCount = {
    deliveries: 0,
    lines: 0,
    comes: 0,
    goes: 0,
    changes: 0,
    left: { older: 0, broken: 0, cut: 0, records: 0 },
  };

  step({ lines, moves }: RereadStepSeen): void {
    this.count.lines += lines;
    for (const { before, after } of moves) {
      if (before === null) this.count.comes++;
      else if (after === null) this.count.goes++;
      else this.count.changes++;
    }
  }

  delivery(left: Record<NotAgain, number>): void {
    this.count.deliveries++;
    for (const why of NOT_AGAIN) this.count.left[why] += left[why];
  }
}

/** What a preview holds of it, as far as there is room. */
export class RereadChanges implements Changes {
  readonly judgements = new Map();
  readonly evidence = new Map<string, Observation | null>();
  readonly links: Link[] = [];
  readonly facts: Fact[] = [];
  readonly refs = new Set<string>();
  cut = false;

  constructor(private readonly most: number) {}

  step({ moves, rows }: RereadStepSeen): void {
    for (const { before, after } of moves) {
      if (this.refs.size >= this.most) {
        this.cut = true;
        return;
      }
      if (before) this.evidence.set(before.key, null);
      if (after) this.evidence.set(after.key, after);
      for (const ref of [...(before?.refs ?? []), ...(after?.refs ?? [])]) this.refs.add(ref);
    }
    if (this.links.length + this.facts.length > this.most) return;
    this.links.push(...rows.links);
    this.facts.push(...rows.facts);
  }
}
