/** What the URL of the page holds; read by the server too. */
import { parseAsString, parseAsStringLiteral } from "nuqs/server";

/** What pass and reward are decided on; `auto` leaves it to how many rollouts pair. */
export const PAIRED = ["auto", "paired", "unpaired"] as const;
export type Paired = (typeof PAIRED)[number];

/** Which tasks are listed. */
export const MOVED = ["moved", "won", "lost", "all"] as const;
export type Moved = (typeof MOVED)[number];

export const COMPARE_PARSERS = {
  baseline: parseAsString,
  candidate: parseAsString,
  paired: parseAsStringLiteral(PAIRED).withDefault("auto"),
  moved: parseAsStringLiteral(MOVED).withDefault("moved"),
};

export interface ComparePair {
  baseline: string;
  candidate: string;
}

/** Both runs, once both are chosen and differ. */
export function pairOf(chosen: { baseline: string | null; candidate: string | null }): ComparePair | null {
  const { baseline, candidate } = chosen;
  return baseline === null || candidate === null || baseline === candidate ? null : { baseline, candidate };
}

/** The address of a comparison; a side that is left out is chosen there. */
export function compareHref(chosen: Partial<ComparePair>): string {
  const query = new URLSearchParams(Object.entries(chosen).filter(([, id]) => id !== undefined));
  return query.size === 0 ? "/compare" : `/compare?${query}`;
}
