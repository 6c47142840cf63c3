/** The deliveries that a thread has in hand: a few are read at a time, the others wait unread. */
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { packError } from "@/server/threads/messages";
import type { DeliveryStore } from "../delivery-store";
import { type IngestOptions, ingest } from "../ingest";
import { BODY_LIMITS } from "../ingest-body";
import { ChunkChannel } from "./chunk-channel";
import type { FromIngest, ToIngest } from "./messages";

/** Read at the same time; each holds up to a segment in memory. */
const ACTIVE = 4;
const IDLE_MS = 120_000;

type DeliveryMessage = Extract<ToIngest, { type: "begin" | "chunk" | "end" | "abort" }>;

export interface DeliveriesOptions extends Pick<IngestOptions, "classifier" | "dataDir"> {
  /** Decoded bytes of one delivery. */
  maxBodyBytes?: number;
}

export class Deliveries {
  private readonly channels = new Map<number, ChunkChannel>();
  private readonly runs = new Set<Promise<void>>();
  private stopping = false;
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly store: Store | DeliveryStore,
    private readonly post: (message: FromIngest) => void,
    private readonly options: DeliveriesOptions = {},
  ) {}

  handle(message: DeliveryMessage): void {
    if (message.type === "begin") {
      const run = this.run(message);
      this.runs.add(run);
      void run.finally(() => this.runs.delete(run));
      return;
    }
    // Chunks that were under way when a delivery was refused find no channel any more.
    const channel = this.channels.get(message.id);
    if (message.type === "chunk") channel?.push(message.bytes);
    else if (message.type === "end") channel?.end();
    else channel?.fail(new CoalmineError("invalid", message.reason));
  }

  /** Breaks off what is under way; resolves when nothing of it is left. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const channel of this.channels.values()) channel.fail(stoppingError());
    await Promise.all(this.runs);
  }

  private async run({ id, params, options }: Extract<ToIngest, { type: "begin" }>): Promise<void> {
    const channel = new ChunkChannel((bytes) => this.post({ type: "taken", id, bytes }), IDLE_MS);
    this.channels.set(id, channel);
    if (this.stopping) channel.fail(stoppingError());
    await this.turn();
    try {
      const { maxBodyBytes: maxBytes = BODY_LIMITS.maxBytes, ...rest } = this.options;
      const limits = { ...BODY_LIMITS, maxBytes };
      const result = await ingest(this.store, params, channel, { ...options, ...rest, limits });
      this.post({ type: "result", id, result });
    } catch (error) {
      this.post({ type: "refused", id, error: packError(error) });
    } finally {
      this.channels.delete(id);
      this.active--;
      this.waiting.shift()?.();
    }
  }

  private async turn(): Promise<void> {
    if (this.active >= ACTIVE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.active++;
  }
}

function stoppingError(): CoalmineError {
  return new CoalmineError("unavailable", "The server is stopping; send this delivery again.", { retryAfterS: 10 });
}
