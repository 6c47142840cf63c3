import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { IngestResult } from "@/server/domain/batch";
import type { UploadAnswer } from "@/server/domain/upload";
import { type Api, RefusedError, UnreachableError } from "./api";
import { fileBytes } from "./file-bytes";
import type { Input } from "./inputs";
import { durationText } from "./numbers";
import type { Progress } from "./progress";
import { CommandError, EXIT } from "./terminal";

export interface PieceOptions {
  /** As `POST /uploads` takes them. */
  params: Record<string, string | undefined>;
  progress: Progress;
  /** Bytes of one call. */
  pieceBytes?: number;
  /** Bytes read at a time. */
  chunkBytes?: number;
  /** Longest wait in a row for a server that does not answer, seconds. */
  patienceS?: number;
}

const PIECE_BYTES = 32 * 1024 * 1024;
const ENDS_BYTES = 65_536;
const PATIENCE_S = 300;
const MOST_WAIT_S = 30;
/** Pieces in a row that bring nothing, as of a file that was cut meanwhile. */
const MOST_STALLS = 4;

/**
 * Sends a large file piece by piece. Goes on where it stopped: after a lost connection, a restart of the server, or one of
 * this program. Resolves when the delivery is durable. Throws `RefusedError`, `CommandError`.
 */
export async function sendInPieces(api: Api, input: Input, options: PieceOptions): Promise<IngestResult> {
  const sender = new Sender(api, input, options);
  const upload = await sender.begin();
  await sender.sendFrom(upload);
  return await sender.finish(upload.id);
}

class Sender {
  /** Bytes that the progress counts for this file. */
  private told = 0;
  /** The server has answered once: if it does not later on, it is away and not at another address. */
  private met = false;

  constructor(
    private readonly api: Api,
    private readonly input: Input,
    private readonly options: PieceOptions,
  ) {}

  async begin(): Promise<UploadAnswer> {
    const { name, bytes, encoding } = this.input;
    const json = {
      name,
      size: bytes,
      params: this.options.params,
      encoding: encoding ?? undefined,
      fingerprint: await fingerprintOf(this.input),
    };
    // The fingerprint makes it safe to ask again.
    return await this.patiently(() =>
      this.api.call<UploadAnswer>("/uploads", { method: "POST", json, ...this.said() }),
    );
  }

  async sendFrom({ id, offset }: UploadAnswer): Promise<void> {
    if (offset > 0) this.note(`going on at ${Math.floor((offset / this.input.bytes) * 100)} %`);
    let stalls = 0;
    for (let at = offset; at < this.input.bytes; ) {
      this.tell(at);
      const next = await this.piece(id, at);
      stalls = next > at ? 0 : stalls + 1;
      if (stalls > MOST_STALLS)
        throw new CommandError(`${this.input.path} became shorter while it was sent.`, { exit: EXIT.someFailed });
      at = next;
    }
    this.tell(this.input.bytes);
  }

  async finish(id: string): Promise<IngestResult> {
    const path = `/uploads/${id}/complete`;
    const { result } = await this.patiently(() =>
      this.api.call<UploadAnswer>(path, { method: "POST", ...this.said() }),
    );
    if (result === null) throw new CommandError(`The server took ${this.input.path} and told no result.`);
    return result;
  }

  /** Sends one piece. Returns where the next one begins, also when it broke off on the way. */
  private async piece(id: string, from: number): Promise<number> {
    const to = Math.min(this.input.bytes, from + (this.options.pieceBytes ?? PIECE_BYTES));
    return await this.patiently(async () => {
      try {
        const body = () => {
          this.tell(from);
          const { chunkBytes } = this.options;
          const seen = (bytes: number) => this.tell(this.told + bytes);
          return fileBytes(this.input.path, seen, { from, to, chunkBytes });
        };
        const query = { offset: String(from) };
        const headers = { "content-type": "application/octet-stream" };
        return (
          await this.api.call<UploadAnswer>(`/uploads/${id}`, { method: "PUT", query, headers, body, ...this.said() })
        ).offset;
      } catch (error) {
        if (!(error instanceof RefusedError) || error.code !== "conflict") throw error;
        return (await this.api.call<UploadAnswer>(`/uploads/${id}`)).offset;
      }
    });
  }

  /** Tries again while nothing answers, as a server does that is being restarted. */
  private async patiently<T>(work: () => Promise<T>): Promise<T> {
    const patience = this.options.patienceS ?? PATIENCE_S;
    for (let waited = 0, wait = 1; ; wait = Math.min(MOST_WAIT_S, wait * 2)) {
      try {
        const answer = await work();
        this.met = true;
        return answer;
      } catch (error) {
        if (!(error instanceof UnreachableError) || !this.met || waited + wait > patience) throw error;
        this.note(`nothing answers; trying again in ${durationText(wait)}`);
        await sleep(wait * 1000);
        waited += wait;
      }
    }
  }

  private said() {
    return { onWait: (seconds: number, why: string) => this.note(`${why}; trying again in ${durationText(seconds)}`) };
  }

  private note(text: string): void {
    this.options.progress.note(`${this.input.name}: ${text}`);
  }

  private tell(at: number): void {
    if (at < this.told) this.options.progress.again(this.told - at);
    else if (at > this.told) this.options.progress.sent(at - this.told);
    this.told = at;
  }
}

/** Tells this state of a file from others: size, time of change, and its first and last bytes. */
export async function fingerprintOf({ path, bytes }: Pick<Input, "path" | "bytes">): Promise<string> {
  const file = await open(path);
  try {
    const hash = createHash("sha256").update(`${bytes} ${(await file.stat()).mtimeMs}`);
    for (const from of [0, Math.max(0, bytes - ENDS_BYTES)]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(ENDS_BYTES), 0, ENDS_BYTES, from);
      hash.update(buffer.subarray(0, bytesRead));
    }
    return hash.digest("hex");
  } finally {
    await file.close();
  }
}
