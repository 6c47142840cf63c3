/** How far a queue of uploads is: bytes, rate and time left. Pure. */

export interface Sample {
  /** ms of a clock that only runs forward. */
  at: number;
  /** Bytes sent by then, over all files. */
  sent: number;
}

/** The rate looks back this far: long enough to be calm, short enough to follow. */
export const WINDOW_MS = 6000;

/** Adds a sample and forgets those that the rate no longer looks at, but for one. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const recent = samples.filter(({ at }) => sample.at - at <= WINDOW_MS);
  const before = samples.filter(({ at }) => sample.at - at > WINDOW_MS).at(-1);
  return [...(before ? [before] : []), ...recent, sample];
}

/** Bytes per second over the samples; null before there is anything to tell. */
export function rateOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < 300) return null;
  return Math.max(0, ((last.sent - first.sent) * 1000) / (last.at - first.at));
}

/** ms that `left` bytes take at `rate` bytes a second; null when that is not known. */
export function timeLeft(left: number, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : (left * 1000) / rate;
}

export type Encoding = "gzip" | "zstd" | "br";

/** How a file is compressed, by its name; null = not. */
export function encodingOf(name: string): Encoding | null {
  if (/\.(gz|gzip)$/i.test(name)) return "gzip";
  if (/\.(zst|zstd)$/i.test(name)) return "zstd";
  return /\.br$/i.test(name) ? "br" : null;
}

/** Files that hold nothing to read: what systems and editors leave in folders. */
export function isWorthSending(path: string, size: number): boolean {
  return size > 0 && !/(^|\/)(\.|__MACOSX\/|node_modules\/|Thumbs\.db$)/.test(path);
}
