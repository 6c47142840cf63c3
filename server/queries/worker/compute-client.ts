/** The web process's end of the compute threads: one that resamples and tests, one that only counts, as long as that may take. */
import type { ThreadData } from "@/server/threads/messages";
import { Thread } from "@/server/threads/thread";
import { COUNTED, HEAVY, type Heavy, type HeavyName } from "../heavy";

interface Waiting {
  begin(): void;
}

interface ThreadOf {
  script: string;
  data: ThreadData;
}

export class ComputeClient {
  private readonly resampling: Lane;
  private readonly counting: Lane;

  constructor(options: ThreadOf) {
    this.resampling = new Lane(options);
    this.counting = new Lane(options);
  }

  async ready(): Promise<void> {
    await Promise.all([this.resampling.ready(), this.counting.ready()]);
  }

  heavy(): Heavy {
    const names = Object.keys(HEAVY) as HeavyName[];
    const laneOf = (name: HeavyName) => (COUNTED.includes(name) ? this.counting : this.resampling);
    return Object.fromEntries(names.map((name) => [name, (input: unknown) => laneOf(name).ask(name, input)])) as Heavy;
  }

  async stop(): Promise<void> {
    await Promise.all([this.resampling.stop(), this.counting.stop()]);
  }
}

/** One thread's questions, one at a time; of those that wait the newest first, since somebody has just opened that page. */
class Lane {
  private readonly thread: Thread;
  private readonly waiting: Waiting[] = [];
  private running = false;

  constructor({ script, data }: ThreadOf) {
    this.thread = new Thread({ script, data });
  }

  ready(): Promise<void> {
    return this.thread.ready();
  }

  stop(): Promise<void> {
    return this.thread.stop();
  }

  ask(name: HeavyName, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        begin: () => {
          const done = () => {
            this.running = false;
            this.next();
          };
          this.thread.call(name, [input]).then(resolve, reject).finally(done);
        },
      });
      this.next();
    });
  }

  private next(): void {
    if (this.running) return;
    const newest = this.waiting.pop();
    if (!newest) return;
    this.running = true;
    newest.begin();
  }
}
