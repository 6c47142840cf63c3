/** Commands that reach a sandbox before its exec daemon listens, because the health check at create is skipped. */

import { configChange } from "./change-lines";
import { capital, classLinks, configLink, factsOf, severityOf, sumOf, toll } from "./class-facts";
import type { Check, ClassFacts } from "./finding";
import { readings } from "./known-settings";
import { winBack } from "./win-back";

const RACE = ["proxy.bind_race"];
/** 502s of the same kind that came later than a race could. */
const LATER = ["proxy.backend_502"];

export const createRace: Check = (input) => {
  const races = factsOf(input, RACE);
  const sum = sumOf(races);
  const skipped = readings(input.config, "skipHealthCheck").find((reading) => reading.value === true) ?? null;
  if (skipped === null && sum.fatal + sum.absorbed === 0) return null;
  const lost = sum.rollouts + sumOf(factsOf(input, LATER)).rollouts;
  const told = toll(sum);
  const why = skipped
    ? "the health check at create is skipped, so a command may arrive before the exec daemon listens"
    : "a sandbox is handed out before its exec daemon listens, although the health check is not known to be skipped";
  return {
    id: "create-race",
    run: input.run,
    title: "The first command races the exec daemon",
    severity: severityOf(sum.rollouts, input),
    text: `${capital(told ?? "nothing was lost to it yet")}${within(races)}: ${why}.`,
    rolloutsAffected: sum.rollouts,
    winBack: winBack(sum.rollouts, lost, input),
    evidence: [...classLinks(input, [...RACE, ...LATER]), configLink(input)],
    change: skipped && configChange([{ id: "skipHealthCheck", before: skipped, after: false }]),
    canaryPlan: { plan: "create-race", options: { withHealthCheck: true } },
  };
};

/** ` within 1.6 s of the sandbox being up`, where the times are known. */
function within(races: readonly ClassFacts[]): string {
  const times = races
    .flatMap((one) => one.samples)
    .flatMap((s) => (s.fatal && s.afterReadyMs !== null ? [s.afterReadyMs] : []));
  if (times.length === 0) return "";
  return `, at the latest ${(Math.max(0, ...times) / 1000).toFixed(1)} s after the sandbox was up`;
}
