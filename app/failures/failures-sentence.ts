/** What the failures page says first. Pure. */
import { plural } from "@/app/_ui/format";
import type { FailureGroup } from "@/server/domain/answers";
import type { FailureFilter } from "./failure-parsers";
import { EVERYTHING } from "./scope";

/** Counts incidents, never rollouts over several groups: one rollout may stand in two of them. */
export function sentenceOfFailures(groups: readonly FailureGroup[], filter: FailureFilter): string {
  const sum = (pick: (group: FailureGroup) => number) => groups.reduce((total, group) => total + pick(group), 0);
  const incidents = sum((group) => group.incidents);
  const where = placeOf(filter);
  if (incidents === 0) return `No incident${where}.`;
  const fatal = sum((group) => group.fatal);
  const absorbed = sum((group) => group.absorbed);
  const what = filter.family === null && filter.class === null ? "infrastructure incident" : "incident";
  return `${plural(incidents, what)}${where}: ${fatal} ended a rollout, ${absorbed} ${absorbed === 1 ? "was" : "were"} absorbed by a retry.`;
}

function placeOf(filter: FailureFilter): string {
  const parts: string[] = [];
  if (filter.class !== null) parts.push(`of ${filter.class}`);
  else if (filter.family !== null && filter.family !== EVERYTHING) parts.push(`of family ${filter.family}`);
  if (filter.node !== null) parts.push(`on ${filter.node}`);
  if (filter.run !== null) parts.push(`in ${filter.run}`);
  return parts.length === 0 ? "" : ` ${parts.join(" ")}`;
}
