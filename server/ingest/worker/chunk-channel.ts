/** Chunks of one delivery between the thread that receives them and the one that reads them. */
import { CoalmineError } from "@/server/domain/errors";

type Item = { bytes: Uint8Array } | { end: true } | { error: Error };

export class ChunkChannel implements AsyncIterable<Uint8Array> {
  private readonly items: Item[] = [];
  private wake: (() => void) | null = null;

  /** `taken` is told the size of each chunk as it is read; a sender silent for `idleMs` is given up. */
  constructor(
    private readonly taken: (bytes: number) => void,
    private readonly idleMs: number,
  ) {}

  push(bytes: Uint8Array): void {
    this.add({ bytes });
  }
  end(): void {
    this.add({ end: true });
  }
  fail(error: Error): void {
    // Nothing that still waits is worth reading.
    this.items.length = 0;
    this.add({ error });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const item = this.items.shift() ?? (await this.wait());
      if ("error" in item) throw item.error;
      if ("end" in item) return;
      this.taken(item.bytes.length);
      yield item.bytes;
    }
  }

  private add(item: Item): void {
    this.items.push(item);
    this.wake?.();
  }

  private async wait(): Promise<Item> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, this.idleMs);
    });
    clearTimeout(timer);
    this.wake = null;
    const seconds = Math.round(this.idleMs / 1000);
    return (
      this.items.shift() ?? {
        error: new CoalmineError("invalid", `The sender sent nothing for ${seconds} s; the delivery was dropped.`),
      }
    );
  }
}
