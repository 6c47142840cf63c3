/** Windows of time, and what they allow. Pure. */
import type { SearchFilter } from "./search-parsers";

const HOUR_MS = 3_600_000;

export const SPANS = [
  { id: "15m", name: "Last 15 minutes", ms: HOUR_MS / 4 },
  { id: "1h", name: "Last hour", ms: HOUR_MS },
  { id: "24h", name: "Last 24 hours", ms: 24 * HOUR_MS },
  { id: "7d", name: "Last 7 days", ms: 168 * HOUR_MS },
] as const;

/** Where a span of `SPANS` begins, as ISO 8601; `now` in epoch ms. */
export function fromAgo(id: string, now: number): string | null {
  const span = SPANS.find((one) => one.id === id);
  return span ? new Date(now - span.ms).toISOString() : null;
}

/** Parts of words are looked for only where little is looked through, as the API has it. */
export function canUseParts({ run, pod, sandbox, from, to }: SearchFilter): boolean {
  if (run !== null || pod !== null || sandbox !== null) return true;
  return from !== null && to !== null && Date.parse(to) - Date.parse(from) <= HOUR_MS;
}
