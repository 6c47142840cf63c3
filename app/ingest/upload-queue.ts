/** The files that are being sent from this page: one after the other, also while the reader looks at another page. */
import { ApiError, apiUrl } from "@/app/_client/api";
import type { IngestResult } from "@/server/domain/batch";
import { sendFile } from "./send-file";
import { sendPieces } from "./send-pieces";
import { addSample, isWorthSending, rateOf, type Sample } from "./upload-progress";

export interface Upload {
  id: number;
  path: string;
  size: number;
  /** `reading`: all bytes are there, the server works on them. */
  state: "waiting" | "sending" | "reading" | "done" | "failed" | "cancelled";
  sent: number;
  result: IngestResult | null;
  error: string | null;
}

export interface UploadsState {
  uploads: readonly Upload[];
  /** Bytes per second; null before it is known. */
  rate: number | null;
}

export interface PickedFile {
  path: string;
  file: File;
}

export interface Target {
  run: string | null;
  source: string | null;
}

/** Tries of a file while the server is busy, before it counts as failed. */
const MOST_TRIES = 6;
/** Larger files are sent in pieces, so that a break costs little. */
const LARGE_BYTES = 8 * 1024 * 1024;

export class UploadQueue {
  private state: UploadsState = { uploads: [], rate: null };
  private readonly files = new Map<number, { file: File; target: Target }>();
  private readonly listeners = new Set<() => void>();
  private samples: Sample[] = [];
  private running: { id: number; abort: AbortController } | null = null;
  private next = 1;

  constructor(private readonly onDone: () => void) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): UploadsState => this.state;

  /** Queues files. Returns how many were left out as empty or not worth sending. */
  add(picked: readonly PickedFile[], target: Target): number {
    const worth = picked.filter(({ path, file }) => isWorthSending(path, file.size));
    const added = worth.map(({ path, file }): Upload => {
      const id = this.next++;
      this.files.set(id, { file, target });
      return { id, path, size: file.size, state: "waiting", sent: 0, result: null, error: null };
    });
    this.set({ uploads: [...this.state.uploads, ...added] });
    void this.run();
    return picked.length - worth.length;
  }

  /** Stops one file. Of a large one the server keeps what it has for a day, so that sending it again goes on from there. */
  cancel(id: number): void {
    if (this.running?.id === id) this.running.abort.abort();
    else this.change(id, { state: "cancelled" });
  }

  cancelAll(): void {
    for (const upload of this.state.uploads)
      if (upload.state === "waiting") this.change(upload.id, { state: "cancelled" });
    this.running?.abort.abort();
  }

  /** Sends again what failed or was cancelled. The same bytes twice count once. */
  retry(id: number): void {
    this.change(id, { state: "waiting", error: null });
    void this.run();
  }

  /** Forgets what is over. */
  clear(): void {
    const over = (upload: Upload) => ["done", "failed", "cancelled"].includes(upload.state);
    for (const upload of this.state.uploads) if (over(upload)) this.files.delete(upload.id);
    this.set({ uploads: this.state.uploads.filter((upload) => !over(upload)) });
  }

  private async run(): Promise<void> {
    if (this.running !== null) return;
    const upload = this.state.uploads.find((one) => one.state === "waiting");
    const held = upload && this.files.get(upload.id);
    if (!upload || !held) {
      this.samples = [];
      this.set({ rate: null });
      return;
    }
    this.running = { id: upload.id, abort: new AbortController() };
    await this.send(upload, held, this.running.abort.signal);
    this.running = null;
    void this.run();
  }

  private async send(
    upload: Upload,
    { file, target }: { file: File; target: Target },
    signal: AbortSignal,
  ): Promise<void> {
    const sent = { file, name: upload.path, signal, onSent: (bytes: number) => this.progress(upload, bytes) };
    try {
      this.change(upload.id, { state: "sending" });
      const large = file.size > LARGE_BYTES;
      const result = await (large ? sendPieces({ ...sent, target }) : this.sendWhole(upload, { ...sent, target }));
      this.change(upload.id, { state: "done", sent: upload.size, result });
      this.onDone();
    } catch (error) {
      if (signal.aborted) return this.change(upload.id, { state: "cancelled" });
      this.change(upload.id, { state: "failed", error: error instanceof Error ? error.message : "The upload failed." });
    }
  }

  private async sendWhole(
    upload: Upload,
    { target, ...sent }: Parameters<typeof sendPieces>[0],
  ): Promise<IngestResult> {
    const url = apiUrl("/ingest/auto", { run: target.run, source: target.source, name: upload.path });
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendFile({ url, ...sent });
      } catch (error) {
        const wait = error instanceof ApiError && error.status === 429 ? (error.retryAfterS ?? 2) : null;
        if (wait === null || attempt >= MOST_TRIES || sent.signal.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait * 1000));
      }
    }
  }

  private progress(upload: Upload, sent: number): void {
    const others = this.state.uploads.reduce((sum, one) => sum + (one.state === "done" ? one.size : 0), 0);
    this.samples = addSample(this.samples, { at: performance.now(), sent: others + sent });
    this.set({ rate: rateOf(this.samples) });
    this.change(upload.id, { sent, state: sent >= upload.size ? "reading" : "sending" });
  }

  private change(id: number, part: Partial<Upload>): void {
    this.set({ uploads: this.state.uploads.map((one) => (one.id === id ? { ...one, ...part } : one)) });
  }

  private set(part: Partial<UploadsState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}
