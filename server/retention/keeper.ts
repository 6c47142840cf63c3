/** The retention as a job of the thread that writes: looks now and then, and says what would go. */
import { directoryOf } from "@/server/derive/run-directory";
import type { RetentionAnswer, RetentionService } from "@/server/domain/retention";
import type { Store } from "@/server/domain/store";
import { runsBefore } from "./old-runs";
import { sweep } from "./sweep";

const DAY_MS = 24 * 3600 * 1000;
/** Named value that holds what the last sweep did, over restarts. */
const LAST = "retention";

export interface KeeperOptions {
  /** Null: everything is kept. */
  days: number | null;
  now?: () => number;
  everyMs?: number;
}

export class Keeper implements RetentionService {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();
  private problem: string | null = null;
  private readonly stopping = new AbortController();

  constructor(
    private readonly store: Store,
    private readonly options: KeeperOptions,
  ) {}

  /** Sweeps soon, and then every hour. */
  start(): void {
    if (this.options.days === null) return;
    const { everyMs = 3600 * 1000 } = this.options;
    const look = () => void this.sweep().catch(() => undefined);
    setTimeout(look, Math.min(everyMs, 60_000)).unref();
    this.timer = setInterval(look, everyMs);
    this.timer.unref();
  }

  async state(): Promise<RetentionAnswer> {
    const before = this.before();
    const last = await this.store.setting(LAST);
    const directory = directoryOf(await this.store.allRunSettings());
    const runs = before === null ? [] : [...(await runsBefore(this.store, directory, before)).keys()];
    return {
      days: this.options.days,
      before: before === null ? null : new Date(before).toISOString(),
      older: before === null ? null : await this.store.countBefore(before),
      runs,
      last: last === null ? null : (JSON.parse(last) as RetentionAnswer["last"]),
      problem: this.problem,
      givesSpaceBack: await this.store.givesSpaceBack(),
    };
  }

  /** Drops what is older now. One sweep at a time. One that goes wrong rejects, and is told by `state` until one goes well. */
  sweep(): Promise<void> {
    this.sweeping = this.sweeping.catch(() => undefined).then(() => this.sweepNow());
    this.sweeping.then(
      () => this.tell(null),
      (error: unknown) => this.tell(error instanceof Error ? error.message : String(error)),
    );
    return this.sweeping;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.sweeping.catch(() => undefined);
  }

  private tell(problem: string | null): void {
    if (!this.stopping.signal.aborted) this.problem = problem;
  }

  private async sweepNow(): Promise<void> {
    const before = this.before();
    if (before === null || this.stopping.signal.aborted) return;
    const bytesBefore = await this.store.bytes();
    const { observations, runs } = await sweep(this.store, before, this.stopping.signal);
    const last = {
      at: new Date(this.now()).toISOString(),
      observations,
      runs,
      bytesBefore,
      bytesAfter: await this.store.bytes(),
    };
    await this.store.putSetting(LAST, JSON.stringify(last));
  }

  /** The beginning of a UTC day, so that a day goes as a whole. */
  private before(): number | null {
    const { days } = this.options;
    return days === null ? null : (Math.floor(this.now() / DAY_MS) - days) * DAY_MS;
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }
}
