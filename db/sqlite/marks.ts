/** Collects which runs and nodes the rows of one append name, and when; written once at its end. */
import type { Connection } from "./connection";
import { touchRuns } from "./run-versions";

interface Mark {
  run: string | null;
  node: string | null;
  origin: string;
  firstAt: number | null;
  lastAt: number | null;
}

const FIND = "SELECT seq, firstAt, lastAt FROM marks WHERE batch = ? AND run IS ? AND node IS ? AND origin = ?";
const WIDEN = "UPDATE marks SET firstAt = ?, lastAt = ? WHERE seq = ?";
const ADD = "INSERT INTO marks (batch, run, node, origin, firstAt, lastAt) VALUES (?, ?, ?, ?, ?, ?)";

export class Marks {
  private readonly found = new Map<string, Mark>();

  note(run: string | null, node: string | null, origin: string, times: readonly (number | null)[] = []): void {
    if (run === null && node === null) return;
    const key = JSON.stringify([run, node, origin]);
    let mark = this.found.get(key);
    if (!mark) {
      mark = { run, node, origin, firstAt: null, lastAt: null };
      this.found.set(key, mark);
    }
    for (const at of times) widen(mark, at, at);
  }

  write(connection: Connection, batch: number): void {
    touchRuns(
      connection,
      [...this.found.values()].map((mark) => mark.run),
    );
    for (const mark of this.found.values()) {
      const known = connection.statement(FIND).get(batch, mark.run, mark.node, mark.origin) as KnownMark | undefined;
      if (known) {
        widen(mark, known.firstAt, known.lastAt);
        connection.statement(WIDEN).run(mark.firstAt, mark.lastAt, known.seq);
      } else {
        connection.statement(ADD).run(batch, mark.run, mark.node, mark.origin, mark.firstAt, mark.lastAt);
      }
    }
  }
}

type KnownMark = Pick<Mark, "firstAt" | "lastAt"> & { seq: number };

function widen(mark: Mark, from: number | null, to: number | null): void {
  if (from !== null && (mark.firstAt === null || from < mark.firstAt)) mark.firstAt = from;
  if (to !== null && (mark.lastAt === null || to > mark.lastAt)) mark.lastAt = to;
}
