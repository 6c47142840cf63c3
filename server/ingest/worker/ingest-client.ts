/** The web process's end of the ingest thread: sends deliveries with back-pressure and makes the other writes. */
import type { DeliveryParams, IngestResult } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import type { ReclassifyAnswer, ReclassifyService } from "@/server/domain/reclassify";
import type { RetentionAnswer, RetentionService } from "@/server/domain/retention";
import type { Store } from "@/server/domain/store";
import { type ThreadData, unpackError } from "@/server/threads/messages";
import { Thread } from "@/server/threads/thread";
import type { FromIngest, ToIngest } from "./messages";
import { Outgoing } from "./outgoing";
import { WRITES, type WriteName } from "./writes";

const RETRY_AFTER_S = 5;

export interface SentDelivery {
  params: DeliveryParams;
  options: { receivedAt: number; name: string | null; encoding: string | null };
  body: AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
}

interface Sending {
  outgoing: Outgoing;
  finish(outcome: { result: IngestResult } | { error: Error }): void;
  finished: Promise<IngestResult>;
}

export interface IngestClientOptions {
  script: string;
  data: ThreadData;
  /** Deliveries accepted at a time; past it senders are told to come again. */
  maxDeliveries?: number;
}

export class IngestClient {
  private readonly thread: Thread;
  private readonly sending = new Map<number, Sending>();
  readonly maxDeliveries: number;
  private nextId = 1;

  constructor({ script, data, maxDeliveries = 32 }: IngestClientOptions) {
    this.maxDeliveries = maxDeliveries;
    this.thread = new Thread({
      script,
      data,
      onMessage: (message) => this.receive(message as FromIngest),
      onEnd: (error) => {
        for (const sending of this.sending.values()) sending.finish({ error });
      },
    });
  }

  ready(): Promise<void> {
    return this.thread.ready();
  }

  /** Deliveries under way. */
  get deliveries(): number {
    return this.sending.size;
  }

  /** Resolves when the delivery is durable. Throws what `ingest` throws, `busy` past the bound, `unavailable` when the thread dies. */
  async ingest({ params, options, body, signal }: SentDelivery): Promise<IngestResult> {
    if (this.sending.size >= this.maxDeliveries) {
      const message = `${this.maxDeliveries} deliveries are under way; send this one again later.`;
      throw new CoalmineError("busy", message, { retryAfterS: RETRY_AFTER_S });
    }
    const id = this.nextId++;
    const sending = newSending((bytes) => this.post({ type: "chunk", id, bytes }, [bytes.buffer]));
    this.sending.set(id, sending);
    const abort = () =>
      this.post({ type: "abort", id, reason: "The sender went away before the end of the delivery." });
    signal?.addEventListener("abort", abort);
    try {
      await this.thread.ready();
      this.post({ type: "begin", id, params, options });
      if (signal?.aborted) abort();
      await this.sendBody(id, sending, body);
      return await sending.finished;
    } finally {
      signal?.removeEventListener("abort", abort);
      this.sending.delete(id);
    }
  }

  /** The store's own writes, run in the thread; each resolves when what depends on it is derived. */
  writes(): Pick<Store, WriteName> {
    const entries = WRITES.map((name) => [name, (...args: unknown[]) => this.thread.call(name, args)]);
    return Object.fromEntries(entries) as Pick<Store, WriteName>;
  }

  /** Judging what is stored by today's rules, in the thread. */
  reclassify(): ReclassifyService {
    return {
      state: () => this.thread.call("reclassifyState", []) as Promise<ReclassifyAnswer>,
      start: (what, of = { batch: null }) =>
        this.thread.call("startReclassify", [what, of]) as Promise<ReclassifyAnswer>,
      cancel: () => this.thread.call("cancelReclassify", []) as Promise<ReclassifyAnswer>,
    };
  }

  retention(): RetentionService {
    return { state: () => this.thread.call("retentionState", []) as Promise<RetentionAnswer> };
  }

  /** Derives everything that is queued. */
  async settle(): Promise<void> {
    await this.thread.call("settleQueued", []);
  }

  stop(): Promise<void> {
    return this.thread.stop();
  }

  private async sendBody(id: number, sending: Sending, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { outgoing } = sending;
    try {
      for await (const chunk of body) {
        if (outgoing.isStopped) return;
        outgoing.add(chunk);
        await outgoing.room();
      }
    } catch (error) {
      this.post({ type: "abort", id, reason: "The delivery broke off before its end." });
      await sending.finished.catch(() => undefined);
      throw error;
    }
    outgoing.flush();
    this.post({ type: "end", id });
  }

  private post(message: ToIngest, transfer: readonly ArrayBuffer[] = []): void {
    this.thread.post(message, transfer);
  }

  private receive(message: FromIngest): void {
    if (message.type !== "taken" && message.type !== "result" && message.type !== "refused") return;
    const sending = this.sending.get(message.id);
    if (message.type === "result") sending?.finish({ result: message.result });
    else if (message.type === "refused") sending?.finish({ error: unpackError(message.error) });
    else sending?.outgoing.taken(message.bytes);
  }
}

function newSending(post: ConstructorParameters<typeof Outgoing>[0]): Sending {
  const outgoing = new Outgoing(post);
  let finish: Sending["finish"] = () => undefined;
  const finished = new Promise<IngestResult>((resolve, reject) => {
    finish = (outcome) => {
      outgoing.stop();
      if ("result" in outcome) resolve(outcome.result);
      else reject(outcome.error);
    };
  });
  // It may fail while the body is still being sent; whoever sends will ask then.
  finished.catch(() => undefined);
  return { outgoing, finished, finish: (outcome) => finish(outcome) };
}
