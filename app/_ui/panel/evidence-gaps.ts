/** The lines of evidence with the silences between them. Pure. */
import type { EvidenceLine } from "@/server/domain/answers";

export interface PlacedLine {
  line: EvidenceLine;
  /** Unique among the lines. */
  key: string;
  /** Silence before it, in ms, when it is long enough to tell something. */
  gapMs: number | null;
}

/** A silence from here on is worth a word. */
export const GAP_MS = 10_000;

/** Lines without a time have no gap, and end none. */
export function placeLines(lines: readonly EvidenceLine[]): PlacedLine[] {
  let last: number | null = null;
  return lines.map((line, i) => {
    const at = line.at === null ? null : Date.parse(line.at);
    const gap = at !== null && last !== null ? at - last : 0;
    if (at !== null) last = at;
    return { line, key: `${i} ${line.at ?? ""}`, gapMs: gap >= GAP_MS ? gap : null };
  });
}
