/** One run's record while it goes on: what changed is written before it is told. */
import { type CanaryAnswer, type CanaryEvent, type CanaryState, isOver } from "@/server/domain/canary";
import type { RunFiles } from "./run-files";

/** Steps and points beyond this many events are counted, not kept. */
const MAX_EVENTS = 20_000;
const FLUSH_MS = 100;
const MAX_CYCLES = 500;

export class RunJournal {
  private readonly events: CanaryEvent[] = [];
  private readonly evidence: string[] = [];
  private nextId = 1;
  private dropped = 0;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    readonly run: CanaryAnswer,
    private readonly files: RunFiles,
    private readonly tell: (events: CanaryEvent[]) => void,
  ) {}

  /** Moves to a state; `save` it at once, so that nobody hears of what is not kept. */
  state(state: CanaryState): void {
    this.run.state = state;
    if (isOver(state)) this.run.endedAt = new Date().toISOString();
    this.event("state", { state });
  }

  note(text: string): void {
    this.run.notes.push(text);
    this.event("note", { text });
  }

  cycle(cycle: CanaryAnswer["cycles"][number]): void {
    this.run.cycles.push(cycle);
    if (this.run.cycles.length > MAX_CYCLES) this.run.cycles.shift();
    this.event("cycle", { ...cycle });
  }

  event(type: CanaryEvent["type"], data: Record<string, unknown>): void {
    if (this.nextId > MAX_EVENTS && (type === "step" || type === "point" || type === "progress")) {
      this.dropped += 1;
      return;
    }
    this.events.push({ id: this.nextId++, at: new Date().toISOString(), type, data });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  keep(lines: readonly string[]): void {
    this.evidence.push(...lines);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  /** Writes what is pending, one write after the other; `beforeTelling` runs between the disk and the listeners. */
  flush(beforeTelling?: () => Promise<void>): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const events = this.events.splice(0);
    const lines = this.evidence.splice(0);
    this.writing = this.writing.then(async () => {
      try {
        if (lines.length > 0) await this.files.appendEvidence(this.run.id, lines);
        if (events.length > 0) await this.files.appendEvents(this.run.id, events);
      } catch {
        // A full disk must not stop the deletes; the record itself says what is missing when it can be written.
        this.run.notes.push("Some events could not be written to disk.");
      }
      await beforeTelling?.();
      if (events.length > 0) this.tell(events);
    });
    return this.writing;
  }

  /** Everything on disk: events, evidence, and the record last; only then is it told. `known` runs before the telling. */
  save(known?: () => void): Promise<void> {
    return this.flush(async () => {
      if (this.dropped > 0) {
        this.run.notes.push(`${this.dropped} events beyond the first ${MAX_EVENTS} were not kept.`);
        this.dropped = 0;
      }
      await this.files.save(this.run).catch(() => undefined);
      known?.();
    });
  }
}
