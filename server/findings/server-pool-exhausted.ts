/** The sandbox server's one pool of connections is full: every command holds a place for as long as it runs. */

import { configChange } from "./change-lines";
import { capital, classLinks, configLink, factsOf, severityOf, sumOf, toll } from "./class-facts";
import type { Check } from "./finding";
import { numberIn, readings } from "./known-settings";
import { winBack } from "./win-back";

const CLASSES = ["proxy.pool_exhausted"];
/** Connections that one server process keeps to sandboxes, all together. */
const POOL = 100;
/** Places left for lookups and file transfers. */
const SHARE = 0.9;

export const serverPoolExhausted: Check = (input) => {
  const sum = sumOf(factsOf(input, CLASSES));
  const concurrency = numberIn(input.config, "concurrency");
  const [proxied] = readings(input.config, "useServerProxy");
  const above = concurrency !== null && concurrency > POOL && proxied?.value === true;
  if (sum.incidents === 0 && !above) return null;
  const [before] = readings(input.config, "concurrency");
  const many = concurrency === null ? "" : ` for ${concurrency} rollouts at once`;
  return {
    id: "server-pool-exhausted",
    run: input.run,
    title: "The server's connection pool is full",
    severity: severityOf(sum.rollouts, input),
    text: `${capital(toll(sum) ?? "nothing was lost to it yet")}: one server process has ${POOL} connections to sandboxes${many}, and each running command holds one; run more server processes, or fewer rollouts at once.`,
    rolloutsAffected: sum.rollouts,
    winBack: winBack(sum.rollouts, sum.rollouts, input),
    evidence: [...classLinks(input, CLASSES), configLink(input)],
    change:
      before && concurrency !== null && concurrency > POOL
        ? configChange([{ id: "concurrency", before, after: Math.floor(POOL * SHARE) }])
        : null,
    canaryPlan: { plan: "burst", options: { cycles: Math.min(2000, concurrency ?? POOL + 20), holdS: 10 } },
  };
};
