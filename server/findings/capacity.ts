/** Sandboxes that found no room, or were refused for their number. */
import { bytesText } from "@/server/domain/quantity";
import { capital, classLinks, factsOf, severityOf, sumOf, toll } from "./class-facts";
import type { Check, FindingInput } from "./finding";
import { numberIn } from "./known-settings";
import { sizeOf } from "./memory-sizes";
import { winBack } from "./win-back";

const NO_ROOM = ["control.unschedulable"];
const REFUSED = ["control.rate_limited", "control.api_throttled"];
const CLASSES = [...NO_ROOM, ...REFUSED];
/** Refusals that a retry gets over are normal while they are few. */
const FEW = 5;

export const capacity: Check = (input) => {
  const sum = sumOf(factsOf(input, CLASSES));
  if (sum.rollouts === 0 && sum.incidents < FEW) return null;
  const noRoom = sumOf(factsOf(input, NO_ROOM)).incidents;
  const concurrency = numberIn(input.config, "concurrency");
  const what =
    noRoom > 0
      ? `${noRoom} of ${sum.incidents} creates found no room on the cluster`
      : `${sum.incidents} creates were refused for their number`;
  return {
    id: "capacity",
    run: input.run,
    title: "The cluster has no room for this many sandboxes",
    severity: severityOf(sum.rollouts, input),
    text: `${capital(toll(sum) ?? "nothing was lost to it yet")}: ${what}${asked(input, concurrency)}; add nodes, reserve less per sandbox, or run fewer at once.`,
    rolloutsAffected: sum.rollouts,
    winBack: winBack(sum.rollouts, sum.rollouts, input),
    evidence: classLinks(input, CLASSES),
    change: null,
    canaryPlan: { plan: "burst", options: { cycles: Math.min(2000, concurrency ?? 64) } },
  };
};

/** ` at 64 sandboxes at once that reserve 2 GiB each`, as far as it is known. */
function asked(input: FindingInput, concurrency: number | null): string {
  const request = sizeOf(input.config, "memoryRequest") ?? sizeOf(input.config, "memoryLimit");
  const size = request === null ? "" : ` that reserve ${bytesText(request.bytes)} each`;
  if (concurrency !== null)
    return ` at ${concurrency} rollouts at once${request === null ? "" : `, with sandboxes${size}`}`;
  return request === null ? "" : ` for sandboxes${size}`;
}
