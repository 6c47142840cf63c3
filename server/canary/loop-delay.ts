/** How late our own event loop runs. */
import { performance } from "node:perf_hooks";

const TICK_MS = 10;
const KEEP_MS = 120_000;
/** What a late loop notices, it notices within this time of its own late tick. */
const NEAR_MS = 30;

let shared: { watch: LoopDelay; users: number } | null = null;

/** The one watch of this thread's loop: begun by its first user, ended by the last, who calls `letGo`. */
export function watchLoop(): LoopDelay {
  shared ??= { watch: new LoopDelay(), users: 0 };
  shared.users += 1;
  return shared.watch;
}

export function letGo(watch: LoopDelay): void {
  if (shared?.watch !== watch) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  watch.stop();
  shared = null;
}

/** Watches our own event loop, so that our delays are never taken for the target's. */
export class LoopDelay {
  private readonly late: { at: number; ms: number }[] = [];
  private readonly timer: NodeJS.Timeout;
  private expected = performance.now() + TICK_MS;

  constructor() {
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  /** Longest delay in ms seen since `since` (performance.now()), one still going on included. */
  since(since: number): number {
    const now = performance.now();
    let longest = Math.max(0, now - this.expected);
    for (let i = this.late.length - 1; i >= 0; i--) {
      const one = this.late[i];
      if (!one || one.at < since) break;
      longest = Math.max(longest, one.ms);
    }
    return longest;
  }

  /** Longest delay in ms of what was noticed at `at` (performance.now()); ask a little later, when the next tick has passed. */
  around(at: number): number {
    const near = this.late.filter((one) => Math.abs(one.at - at) <= NEAR_MS);
    return Math.max(0, ...near.map((one) => one.ms));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const now = performance.now();
    const ms = now - this.expected;
    if (ms > TICK_MS / 2) this.late.push({ at: now, ms });
    while (this.late[0] && now - this.late[0].at > KEEP_MS) this.late.shift();
    this.expected = now + TICK_MS;
  }
}
