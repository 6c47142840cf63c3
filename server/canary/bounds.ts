/** What keeps a target from being asked for more than its operator allows: places, creates a minute, and waits it asked for. */
import { pause } from "./pause";

const MINUTE_MS = 60_000;

/** A number of places; whoever waits gets one in the order of asking. */
export class Places {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(readonly size: number) {
    this.free = size;
  }

  /** Takes a place; false when the signal aborted first. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.free > 0) {
      this.free -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const got = (): void => {
        signal.removeEventListener("abort", left);
        resolve(true);
      };
      const left = (): void => {
        this.waiting.splice(this.waiting.indexOf(got), 1);
        resolve(false);
      };
      this.waiting.push(got);
      signal.addEventListener("abort", left, { once: true });
    });
  }

  give(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}

/** Creates go out one after the other, so that those that waited together do not knock together: one refusal stops the rest. */
const APART_MS = 4;

/** At most so many creates in any minute, and none before a time that the target named. */
export class CreateRate {
  private readonly taken: number[] = [];
  private notBefore = 0;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly perMinute: number) {}

  /** Resolves when a create may go out; false when the signal aborted first. */
  take(signal: AbortSignal): Promise<boolean> {
    const mine = this.turn.then(() => this.wait(signal));
    this.turn = mine;
    return mine;
  }

  private async wait(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal.aborted) return false;
      const now = Date.now();
      while (this.taken[0] !== undefined && now - this.taken[0] >= MINUTE_MS) this.taken.shift();
      const full = this.taken.length >= this.perMinute ? (this.taken[0] ?? now) + MINUTE_MS - now : 0;
      const wait = Math.max(full, this.notBefore - now);
      if (wait <= 0) {
        this.taken.push(now);
        this.notBefore = Math.max(this.notBefore, now + APART_MS);
        return true;
      }
      await pause(wait, signal);
    }
  }

  /** Nobody creates for so long (ms): the target said it has enough. */
  backOff(ms: number): void {
    this.notBefore = Math.max(this.notBefore, Date.now() + ms);
  }
}

export interface TargetBounds {
  /** Sandboxes at once. */
  places: Places;
  /** Probes without a sandbox of their own at once: a plan may hold a sandbox while it makes them. */
  sockets: Places;
  creates: CreateRate;
}

export function boundsOf(bounds: { maxConcurrent: number; maxCreatesPerMinute: number }): TargetBounds {
  return {
    places: new Places(bounds.maxConcurrent),
    sockets: new Places(bounds.maxConcurrent),
    creates: new CreateRate(bounds.maxCreatesPerMinute),
  };
}
