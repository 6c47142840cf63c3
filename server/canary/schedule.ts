/** Plans that run again and again: at their interval with some jitter, and never while their last run is going on. */
import type { CanarySummary, ScheduleAnswer } from "@/server/domain/canary";
import { durationMs, type Target } from "./target";

/** Share of the interval by which a start moves, so that many installations do not knock at once. */
const JITTER = 0.1;

/** How the record of a run says that a schedule asked for it. */
export const SCHEDULED = "schedule every ";

export interface ScheduleHooks {
  /** Starts the plan and says the run's id; throws when it cannot be taken now. */
  submit(target: string, plan: string, options: Record<string, unknown>, by: string): Promise<string>;
  isOver(id: string): boolean;
}

export class Schedules {
  private readonly entries: { answer: ScheduleAnswer; everyMs: number; timer: NodeJS.Timeout | null }[];

  constructor(
    targets: readonly Target[],
    private readonly hooks: ScheduleHooks,
  ) {
    this.entries = targets.flatMap((target) =>
      target.schedules.map(({ plan, every, options }) => ({
        answer: { target: target.name, plan, every, options, nextAt: null, lastRun: null, skipped: 0 },
        everyMs: durationMs(every),
        timer: null,
      })),
    );
  }

  /** Goes on where it was: an interval after its newest known run, newest first, or somewhere within a first tenth of one. */
  start(known: readonly Pick<CanarySummary, "id" | "target" | "plan" | "by" | "createdAt">[] = []): void {
    for (const entry of this.entries) {
      const { answer, everyMs } = entry;
      const by = `${SCHEDULED}${answer.every}`;
      const last = known.find((run) => run.target === answer.target && run.plan === answer.plan && run.by === by);
      answer.lastRun = last?.id ?? null;
      const dueMs = last === undefined ? 0 : Date.parse(last.createdAt) + everyMs - Date.now();
      this.arm(entry, Math.max(0, dueMs) + everyMs * JITTER * Math.random());
    }
  }

  stop(): void {
    for (const entry of this.entries) if (entry.timer) clearTimeout(entry.timer);
  }

  answers(): ScheduleAnswer[] {
    return this.entries.map((entry) => ({ ...entry.answer }));
  }

  private arm(entry: (typeof this.entries)[number], ms: number): void {
    entry.answer.nextAt = new Date(Date.now() + ms).toISOString();
    entry.timer = setTimeout(() => void this.due(entry), ms);
    entry.timer.unref();
  }

  private async due(entry: (typeof this.entries)[number]): Promise<void> {
    const { answer, everyMs } = entry;
    this.arm(entry, everyMs * (1 + JITTER * (Math.random() * 2 - 1)));
    if (answer.lastRun !== null && !this.hooks.isOver(answer.lastRun)) {
      answer.skipped += 1;
      return;
    }
    try {
      answer.lastRun = await this.hooks.submit(
        answer.target,
        answer.plan,
        answer.options,
        `${SCHEDULED}${answer.every}`,
      );
    } catch {
      // A full queue: it comes due again.
      answer.skipped += 1;
    }
  }
}
