/** A thread as its owner sees it: started when first needed, started again after it died, calls matched to answers. */
import { Worker } from "node:worker_threads";
import { CoalmineError } from "@/server/domain/errors";
import { type AnswerMessage, type PlainError, type ThreadData, unpackError } from "./messages";

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Running {
  worker: Worker;
  ready: Promise<void>;
}

type Incoming = AnswerMessage | { type: "ready" } | { type: "failed"; error: PlainError };

export interface ThreadOptions {
  /** Absolute path of the thread's bundle. */
  script: string;
  data: ThreadData;
  /** Messages that are no answer to a call. */
  onMessage?: (message: unknown) => void;
  /** The thread ended; everything under way with it is lost. */
  onEnd?: (error: Error) => void;
}

const STOP_MS = 10_000;

export class Thread {
  private running: Running | null = null;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private stopping = false;

  constructor(private readonly options: ThreadOptions) {}

  /** Calls under way. */
  get busy(): number {
    return this.pending.size;
  }

  /** Resolves when the thread has opened its store; rejects with why it could not. */
  ready(): Promise<void> {
    return this.ensure().ready;
  }

  async call(method: string, args: unknown[]): Promise<unknown> {
    await this.ready();
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.pending.set(id, { resolve, reject });
      this.post({ type: "call", id, method, args });
    });
  }

  /** Sends to the thread that is running; one that died gets nothing. */
  post(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
    this.running?.worker.postMessage(message, [...transfer]);
  }

  /** Lets the thread finish what it has in hand; ends it by force when that takes too long. */
  async stop(): Promise<void> {
    this.stopping = true;
    const worker = this.running?.worker;
    if (!worker) return;
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    worker.postMessage({ type: "stop" });
    const timer = setTimeout(() => void worker.terminate(), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  private ensure(): Running {
    if (this.stopping) throw new CoalmineError("unavailable", "The server is stopping.");
    this.running ??= this.start();
    return this.running;
  }

  private start(): Running {
    // Under another name, so that a bundler does not take it for a thread that it has to build.
    const Started: typeof Worker = Worker;
    const worker = new Started(this.options.script, { workerData: this.options.data });
    const ready = new Promise<void>((resolve, reject) => {
      worker.on("message", (message: Incoming) => {
        if (message.type === "ready") resolve();
        else if (message.type === "failed") reject(unpackError(message.error));
        else if (message.type === "answer") this.answer(message);
        else this.options.onMessage?.(message);
      });
      const end = (error: Error) => {
        reject(error);
        this.ended(worker, error);
      };
      worker.once("error", (error) => end(stopped(error)));
      worker.once("exit", () => end(stopped()));
    });
    // A thread that cannot start is reported to whoever asks next, not to nobody.
    ready.catch(() => undefined);
    return { worker, ready };
  }

  private answer({ id, value, error }: AnswerMessage): void {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (error) pending?.reject(unpackError(error));
    else pending?.resolve(value);
  }

  private ended(worker: Worker, error: Error): void {
    if (this.running?.worker !== worker) return;
    this.running = null;
    for (const pending of this.pending.values()) pending.reject(error);
    this.pending.clear();
    this.options.onEnd?.(error);
  }
}

function stopped(cause?: unknown): CoalmineError {
  const retry = { retryAfterS: 5, cause };
  return new CoalmineError("unavailable", "A worker of the server stopped; it is started again. Try again.", retry);
}
