/** Verdicts as the pages name them, and which rows a page shows first. Pure. */
import type { Verdict } from "@/server/domain/taxonomy-words";

export const VERDICT_NAME: Record<Verdict, string> = {
  passed: "Passed",
  failed: "Failed",
  infra_failed: "Lost",
  not_scored: "Not scored",
  missing: "Missing",
};

export const ALL = "all";

/** What the rows show for the URL's `verdict`: with none given, the lost ones where there are any and no node or task is being followed. */
export function shownVerdict(given: string | null, lost: number): Verdict | typeof ALL {
  if (given !== null && given in VERDICT_NAME) return given as Verdict;
  if (given === ALL) return ALL;
  return lost > 0 ? "infra_failed" : ALL;
}
