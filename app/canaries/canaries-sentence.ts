/** What the canaries say of the fleet, in one sentence. Pure. */
import { plural } from "@/app/_ui/format";
import type { TargetAnswer } from "@/server/domain/canary";

export function sentenceOfTargets(targets: readonly TargetAnswer[]): string {
  if (targets.length === 0) return "No canary can run yet: no target is configured.";
  const failing = targets.filter((target) => target.last?.state === "failed").map((target) => target.name);
  const going = targets.reduce((sum, target) => sum + target.running + target.queued, 0);
  const unseen = targets.filter((target) => target.last === null).length;
  const now = going > 0 ? ` ${plural(going, "run")} ${going === 1 ? "is" : "are"} going or waiting.` : "";
  if (failing.length > 0) return `The newest canary failed on ${failing.join(", ")}.${now}`;
  if (unseen === targets.length) return `${plural(targets.length, "target")}, and no canary has run yet.${now}`;
  const rest = unseen > 0 ? `; ${unseen} of ${targets.length} have not been tried` : "";
  return `No target's newest canary failed${rest}.${now}`;
}
