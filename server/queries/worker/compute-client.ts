/** The web process's end of the compute thread. */
import type { ThreadData } from "@/server/threads/messages";
import { Thread } from "@/server/threads/thread";
import { HEAVY, type Heavy, type HeavyName } from "../heavy";

interface Waiting {
  begin(): void;
}

export class ComputeClient {
  private readonly thread: Thread;
  private readonly waiting: Waiting[] = [];
  private running = false;

  constructor({ script, data }: { script: string; data: ThreadData }) {
    this.thread = new Thread({ script, data });
  }

  ready(): Promise<void> {
    return this.thread.ready();
  }

  /** The heavy questions, one at a time; of those that wait the newest first, since somebody has just opened that page. */
  heavy(): Heavy {
    const names = Object.keys(HEAVY) as HeavyName[];
    return Object.fromEntries(names.map((name) => [name, (input: unknown) => this.ask(name, input)])) as Heavy;
  }

  stop(): Promise<void> {
    return this.thread.stop();
  }

  private ask(name: HeavyName, input: unknown): Promise<unknown> {
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
