/** The queue of refs to derive. A ref that is queued again while it is being derived stays queued. */
import type { Ref } from "@/server/domain/refs";
import type { Connection } from "./connection";

const ADD = `INSERT INTO queue (ref, version) VALUES (?, ?) ON CONFLICT (ref) DO UPDATE SET version = excluded.version`;
const OLDEST = "SELECT ref, version FROM queue ORDER BY seq LIMIT ?";
const REMOVE = "DELETE FROM queue WHERE ref = ? AND version <= ?";

export class Queue {
  /** Version at which a ref was last handed out to be derived. */
  private readonly handed = new Map<Ref, number>();

  constructor(private readonly connection: Connection) {}

  add(refs: Iterable<Ref>, version: number): void {
    const add = this.connection.statement(ADD);
    for (const ref of new Set(refs)) add.run(ref, version);
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
    for (const ref of refs) this.handed.delete(ref);
  }

  size(): number {
    return (this.connection.statement("SELECT count(*) AS n FROM queue").get() as { n: number }).n;
  }
}

interface QueueRow {
  ref: Ref;
  version: number;
}
