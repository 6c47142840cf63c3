import { setTimeout as sleep } from "node:timers/promises";
import type { IngestResult } from "@/server/domain/batch";
import { RefusedError, UnreachableError } from "./api";
import type { Followed } from "./follow-state";
import { type FileOutcome, outcomeLines } from "./ingest";
import { durationText } from "./numbers";
import { EXIT, print, type Terminal } from "./terminal";

interface DeliveryParts {
  terminal: Terminal;
  signal: AbortSignal;
  json: boolean;
  /** Longest wait for a server that does not answer, or fails. */
  mostWaitMs: number;
}

/** Sends parts of followed files, and says what became of them. */
export class FollowDeliveries {
  /** Files that the server failed on: when they are tried again (epoch ms), and how long that wait was. */
  private readonly putOff = new WeakMap<Followed, { until: number; waitMs: number }>();

  constructor(private readonly parts: DeliveryParts) {}

  /** Is it too early to try this file again? */
  isPutOff(known: Followed): boolean {
    return (this.putOff.get(known)?.until ?? 0) > Date.now();
  }

  /**
   * True when it is accepted or refused for good. A server that is away or busy is waited for. False when the server failed on it: it
   * keeps its place and is tried again later, while other files go on.
   */
  async deliver(known: Followed, work: () => Promise<IngestResult>): Promise<boolean> {
    const { signal, mostWaitMs } = this.parts;
    for (let wait = 1000; ; wait = Math.min(mostWaitMs, wait * 2)) {
      try {
        this.tell(known, { ok: true, result: await work(), problem: null });
        this.putOff.delete(known);
        return true;
      } catch (error) {
        signal.throwIfAborted();
        const refused = error instanceof RefusedError ? error : null;
        if (refused?.status === 500) return this.tryLater(known, refused);
        if (refused && refused.exit !== EXIT.cannot && !isPassing(refused)) {
          const problem = { code: refused.code, message: refused.message };
          this.tell(known, { ok: false, result: null, problem });
          return true;
        }
        if (!(error instanceof UnreachableError) && (refused === null || refused.exit === EXIT.cannot)) throw error;
        this.note(`${(error as Error).message} Trying again in ${durationText(wait / 1000)}`);
        await sleep(wait, undefined, { signal });
      }
    }
  }

  /** The server met an error of its own, which may be this file's: it must not hold up the others. */
  private tryLater(known: Followed, { message }: RefusedError): false {
    const waitMs = Math.min(this.parts.mostWaitMs, 2 * (this.putOff.get(known)?.waitMs ?? 500));
    this.putOff.set(known, { until: Date.now() + waitMs, waitMs });
    const again = `Others go on; trying again from byte ${known.offset} in ${durationText(waitMs / 1000)}`;
    this.note(`${known.path}: the server failed: ${message} ${again}`);
    return false;
  }

  private tell({ path, run }: Followed, came: Pick<FileOutcome, "ok" | "result" | "problem">): void {
    const outcome = { file: path, run, ...came };
    print(this.parts.terminal, this.parts.json ? JSON.stringify(outcome) : outcomeLines(outcome));
  }

  private note(text: string): void {
    this.parts.terminal.stderr.write(`${text}\n`);
  }
}

function isPassing({ status }: RefusedError): boolean {
  return [429, 502, 503, 504, 507].includes(status);
}
