/** Rows that are about a delivery as a whole: held until its end, so that what it does not say any more can go. */
import type { FactRows } from "@/server/domain/segment";

export type HeldKinds = "links" | "facts" | "rollouts" | "planned";
type Held = Pick<FactRows, HeldKinds>;
type Ending = Required<Pick<FactRows, "sightings" | "pieces">>;

/** Rows in memory; past it they are written as they come. */
const MOST = 50_000;

export class HeldRows {
  private held: Held = none();
  private size = 0;
  private isFull = false;
  /** Said at the end only. */
  readonly ending: Ending = { sightings: [], pieces: [] };

  constructor(private readonly most = MOST) {}

  /** Takes a segment's rows; returns those that must be written now. */
  add(rows: FactRows): Held {
    addAll(this.ending.sightings, rows.sightings);
    addAll(this.ending.pieces, rows.pieces ?? []);
    for (const kind of KINDS) {
      addAll<unknown>(this.held[kind], rows[kind]);
      this.size += rows[kind].length;
    }
    if (!this.isFull && this.size <= this.most) return none();
    this.isFull = true;
    const now = this.held;
    this.held = none();
    return now;
  }

  /** All of them; null when there were too many. */
  get all(): Held | null {
    return this.isFull ? null : this.held;
  }
}

const KINDS: readonly HeldKinds[] = ["links", "facts", "rollouts", "planned"];

/** One by one: a delivery may say more at its end than a call can be given. */
function addAll<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

export function none(): Held {
  return { links: [], facts: [], rollouts: [], planned: [] };
}
