/** The bytes of one delivery on their way to the thread that reads them: sent in few pieces while it is busy, and held back when it has enough. */

/** Bytes of one delivery that the sender gave and the thread has not taken. */
const WINDOW_BYTES = 1024 * 1024;
/** What comes while the thread is busy is gathered to so many bytes: each message costs both threads, whatever its size. */
const PIECE_BYTES = 256 * 1024;

export class Outgoing {
  private piece: Uint8Array<ArrayBuffer> | null = null;
  private gathered = 0;
  private underWay = 0;
  private wake: (() => void) | null = null;
  private stopped = false;

  /** `post` is given bytes of which nobody else knows. */
  constructor(private readonly post: (bytes: Uint8Array<ArrayBuffer>) => void) {}

  /** The delivery is over: nothing more is wanted, and nobody waits for room. */
  get isStopped(): boolean {
    return this.stopped;
  }

  stop(): void {
    this.stopped = true;
    this.wake?.();
  }

  /** Takes a chunk, which may be used again afterwards. */
  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      this.piece ??= fresh(this.underWay === 0 ? Math.min(chunk.length - at, PIECE_BYTES) : PIECE_BYTES);
      const part = chunk.subarray(at, at + this.piece.length - this.gathered);
      this.piece.set(part, this.gathered);
      this.gathered += part.length;
      at += part.length;
      if (this.gathered === this.piece.length) this.flush();
    }
  }

  /** The thread took so many bytes; when it has none left, it gets what was gathered meanwhile. */
  taken(bytes: number): void {
    this.underWay -= bytes;
    if (this.underWay === 0) this.flush();
    this.wake?.();
  }

  /** Sends what was gathered. */
  flush(): void {
    if (this.piece === null || this.gathered === 0) return;
    const bytes = this.piece.subarray(0, this.gathered);
    this.piece = null;
    this.gathered = 0;
    this.underWay += bytes.length;
    this.post(bytes);
  }

  /** Resolves when the sender may go on. */
  async room(): Promise<void> {
    while (this.underWay + this.gathered > WINDOW_BYTES && !this.stopped) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = null;
    }
  }
}

/** Memory of its own, so that it can change hands; every byte of it that is sent is written before. */
function fresh(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer);
}
