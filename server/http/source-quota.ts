/** How much each source may send a minute: a bucket a source, filled steadily, emptied by what it sends. */
import { CoalmineError } from "@/server/domain/errors";
import type { SlowedSource } from "@/server/domain/intake";

interface Bucket {
  /** Bytes that may still be sent; below 0 a delivery took more than there was. */
  level: number;
  /** Epoch ms of the level. */
  at: number;
  refused: number[];
}

const MIB = 1024 ** 2;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** One large delivery keeps its source waiting at most so long. */
const MOST_DEBT_MINUTES = 10;
const MOST_SOURCES = 10_000;
const MOST_TIMES = 1000;

export class SourceQuota {
  private readonly buckets = new Map<string, Bucket>();

  /** `bytesPerMinute` null: no limit. */
  constructor(
    readonly bytesPerMinute: number | null,
    private readonly now: () => number = Date.now,
  ) {}

  /** Throws `busy` with the seconds to wait when the source has sent what it may. A delivery that was begun is read to its end. */
  admit(source: string): void {
    const bucket = this.filled(source);
    if (bucket === null || bucket.level > 0) return;
    bucket.refused.push(this.now());
    if (bucket.refused.length > MOST_TIMES) bucket.refused.shift();
    const limit = `${Math.round(((this.bytesPerMinute ?? 0) / MIB) * 10) / 10} MiB`;
    throw new CoalmineError("busy", `Source "${source}" has sent more than ${limit} a minute; send this again later.`, {
      retryAfterS: this.waitS(bucket),
    });
  }

  charge(source: string, bytes: number): void {
    const bucket = this.filled(source);
    if (bucket === null || this.bytesPerMinute === null) return;
    bucket.level = Math.max(-MOST_DEBT_MINUTES * this.bytesPerMinute, bucket.level - bytes);
  }

  /** Latest first. */
  slowed(): SlowedSource[] {
    const from = this.now() - HOUR_MS;
    return [...this.buckets.keys()]
      .flatMap((source) => {
        const bucket = this.filled(source);
        const times = bucket?.refused.filter((at) => at >= from) ?? [];
        const last = times.at(-1);
        if (!bucket || last === undefined) return [];
        const lastRefusedAt = new Date(last).toISOString();
        return [
          { source, refused: times.length, lastRefusedAt, retryAfterS: bucket.level > 0 ? 0 : this.waitS(bucket) },
        ];
      })
      .sort((a, b) => (a.lastRefusedAt > b.lastRefusedAt ? -1 : 1));
  }

  private filled(source: string): Bucket | null {
    if (this.bytesPerMinute === null) return null;
    const now = this.now();
    const bucket = this.buckets.get(source) ?? { level: this.bytesPerMinute, at: now, refused: [] };
    const gained = ((now - bucket.at) * this.bytesPerMinute) / MINUTE_MS;
    bucket.level = Math.min(this.bytesPerMinute, bucket.level + Math.max(0, gained));
    bucket.at = now;
    if (!this.buckets.has(source)) this.makeRoom();
    this.buckets.set(source, bucket);
    return bucket;
  }

  private waitS(bucket: Bucket): number {
    return Math.max(1, Math.ceil(((1 - bucket.level) * 60) / (this.bytesPerMinute ?? 1)));
  }

  /** Names of sources are the senders' own: however many there are, only so many are kept. */
  private makeRoom(): void {
    for (const source of this.buckets.keys()) {
      if (this.buckets.size < MOST_SOURCES) return;
      this.buckets.delete(source);
    }
  }
}
