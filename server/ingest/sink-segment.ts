/** The rows that one append will write, without repeats, and the refs that they touch. */
import type { Fact, Link, Observation, Reject, Sighting } from "@/server/domain/facts";
import type { Piece } from "@/server/domain/pieces";
import type { Ref } from "@/server/domain/refs";
import { type PlannedRollout, type RolloutRecord, rolloutRefs } from "@/server/domain/rollout";
import type { BatchCounts, FactRows } from "@/server/domain/store";

export interface TakenSegment {
  rows: FactRows;
  counts: BatchCounts;
}

export class Segment {
  readonly counts: BatchCounts = {
    bytes: 0,
    records: 0,
    observations: 0,
    rollouts: 0,
    routine: 0,
    duplicates: 0,
    rejected: 0,
  };
  private readonly rows: Omit<FactRows, "links" | "facts" | "sightings" | "archive" | "touched"> & { pieces: Piece[] } =
    {
      observations: [],
      rollouts: [],
      planned: [],
      rejects: [],
      pieces: [],
    };
  private readonly byKey = new Map<string, Observation>();
  private readonly linkRows = new Map<string, Link>();
  private readonly factRows = new Map<string, Fact>();
  private readonly touched = new Set<Ref>();

  get size(): number {
    const { observations, rollouts, planned, rejects } = this.rows;
    const linked = this.linkRows.size + this.factRows.size;
    return observations.length + rollouts.length + planned.length + rejects.length + linked;
  }

  /** A record that was delivered twice in one body is kept once; one that says more under its key (an event's count) is kept. */
  observation(row: Observation): void {
    this.counts.observations++;
    const known = this.byKey.get(row.key);
    if (known && known.evidence.count === row.evidence.count && known.at === row.at) {
      this.counts.duplicates++;
      return;
    }
    this.byKey.set(row.key, row);
    this.rows.observations.push(row);
    for (const ref of row.refs) this.touched.add(ref);
  }

  rollout(record: RolloutRecord): void {
    this.rows.rollouts.push(record);
    this.counts.rollouts++;
    const refs = rolloutRefs(record);
    this.touched.add(refs.rollout).add(refs.group);
  }

  planned(plan: PlannedRollout, group: Ref): void {
    this.rows.planned.push(plan);
    this.touched.add(group);
  }

  reject(row: Reject): void {
    this.rows.rejects.push(row);
    this.counts.rejected++;
  }

  pieces(pieces: readonly Piece[]): void {
    this.rows.pieces.push(...pieces);
  }

  /** Links that hold for a time only are widened to one; what always holds is kept once. */
  links(links: readonly Link[]): void {
    for (const link of links) {
      const key = `${link.from}\n${link.to}\n${link.how}\n${link.since === null}\n${link.until === null}`;
      const known = this.linkRows.get(key);
      if (!known) this.linkRows.set(key, link);
      else if (known.since !== link.since || known.until !== link.until) this.linkRows.set(key, widened(known, link));
      this.touched.add(link.from).add(link.to);
    }
  }

  /** Of a fact said twice at different times the later one is what counts anyway. */
  fact(fact: Fact): void {
    const key = `${fact.ref}\n${fact.name}\n${fact.rank}\n${typeof fact.value}:${fact.value}`;
    const known = this.factRows.get(key);
    if (!known || (fact.at ?? -1) > (known.at ?? -1)) this.factRows.set(key, fact);
    this.touched.add(fact.ref);
  }

  /** `kept`: records of which a line is kept. */
  close(known: { links: Link[]; facts: Fact[]; sightings: Sighting[] }, kept: number): TakenSegment {
    this.links(known.links);
    for (const fact of known.facts) this.fact(fact);
    const rows: FactRows = {
      ...this.rows,
      links: [...this.linkRows.values()],
      facts: [...this.factRows.values()],
      sightings: known.sightings,
      archive: [],
      unkept: this.counts.records - kept,
      touched: [...this.touched],
    };
    return { rows, counts: this.counts };
  }
}

/** Both sides say since when and until when, or neither does: the key above sees to it. */
function widened(a: Link, b: Link): Link {
  return {
    ...a,
    since: a.since === null || b.since === null ? null : Math.min(a.since, b.since),
    until: a.until === null || b.until === null ? null : Math.max(a.until, b.until),
  };
}
