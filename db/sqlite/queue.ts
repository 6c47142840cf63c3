/** The queue of refs to derive. A ref that is queued again while it is being derived stays queued. */
import { isReused, type Ref } from "@/server/domain/refs";
import { type Span, union } from "@/server/domain/span";
import type { Connection } from "./connection";
import type { NewSpans } from "./new-spans";

const ADD = `INSERT INTO queue (ref, version) VALUES (?, ?) ON CONFLICT (ref) DO UPDATE SET version = excluded.version`;
const OLDEST = "SELECT ref, version FROM queue ORDER BY seq LIMIT ?";
const REMOVE = "DELETE FROM queue WHERE ref = ? AND version <= ?";

export class Queue {
  /** Version at which a ref was last handed out to be derived. */
  private readonly handed = new Map<Ref, number>();

  /** When what waits is new; null: any time. Not kept over restarts: what waited then is derived whole. */
  private readonly spans = new Map<Ref, Span | null>();

  constructor(private readonly connection: Connection) {}

  /** `spans`: when what is new of these refs happened; without, it may be any time. */
  add(refs: Iterable<Ref>, version: number, spans?: NewSpans): void {
    const add = this.connection.statement(ADD);
    for (const ref of new Set(refs)) {
      if (isReused(ref)) this.widen(ref, spans?.get(ref) ?? null);
      add.run(ref, version);
    }
  }

  private widen(ref: Ref, span: Span | null): void {
    const known = this.spans.get(ref);
    const waits = known === undefined && this.connection.statement("SELECT 1 FROM queue WHERE ref = ?").get(ref);
    if (span === null || known === null || waits) this.spans.set(ref, null);
    else this.spans.set(ref, known === undefined ? span : union(known, span));
  }

  /** Of those of `refs` that wait for what is new in a known time only. */
  spansOf(refs: readonly Ref[]): Map<Ref, Span> {
    return new Map(
      refs.flatMap((ref) => {
        const span = this.spans.get(ref);
        return span ? [[ref, span] as const] : [];
      }),
    );
  }

  oldest(limit: number): Ref[] {
    const rows = this.connection.statement(OLDEST).all(Math.max(0, Math.floor(limit))) as QueueRow[];
    for (const row of rows) this.handed.set(row.ref, row.version);
    return rows.map((row) => row.ref);
  }

  /** Unqueues refs as they were handed out; those that were never handed out go whatever their version. */
  remove(refs: readonly Ref[]): void {
    const remove = this.connection.statement(REMOVE);
    for (const ref of refs) remove.run(ref, this.handed.get(ref) ?? Number.MAX_SAFE_INTEGER);
  }

  /** After the removal is durable: hand-outs that are done need no version any more. */
  forget(refs: readonly Ref[]): void {
    const waits = this.connection.statement("SELECT 1 FROM queue WHERE ref = ?");
    for (const ref of refs) {
      this.handed.delete(ref);
      if (this.spans.has(ref) && waits.get(ref) === undefined) this.spans.delete(ref);
    }
  }

  size(): number {
    return (this.connection.statement("SELECT count(*) AS n FROM queue").get() as { n: number }).n;
  }
}

interface QueueRow {
  ref: Ref;
  version: number;
}
