/** Which families a filter means. Pure. */
import { FAMILY_ORDER } from "@/app/_ui/families";
import type { FailureFilter } from "./failure-parsers";

/** In the URL: every family, also what is no infrastructure. */
export const EVERYTHING = "all";

/** What the API is asked: without a family or class, infrastructure alone, since honest failures outnumber it. */
export function askedOf(filter: FailureFilter): FailureFilter {
  if (filter.family === EVERYTHING) return { ...filter, family: null };
  return { ...filter, family: filter.family ?? (filter.class === null ? FAMILY_ORDER.join(",") : null) };
}
