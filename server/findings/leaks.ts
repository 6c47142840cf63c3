/** Sandboxes that may be left behind, or could not be deleted. */
import { plural } from "@/server/stats/percent";
import { shellChange } from "./change-lines";
import { classLinks, factsOf, sumOf } from "./class-facts";
import type { Check, FindingInput } from "./finding";
import { numberIn } from "./known-settings";

const LEFT = ["cleanup.leak_suspected"];
const FAILED = ["cleanup.failed"];

export const leaks: Check = (input) => {
  const left = sumOf(factsOf(input, LEFT)).incidents;
  const failed = sumOf(factsOf(input, FAILED)).incidents;
  if (left + failed === 0) return null;
  const parts = [
    left > 0 ? `${left === 1 ? "1 sandbox" : `${left} sandboxes`} may be left behind` : null,
    failed > 0 ? `${plural(failed, "delete")} failed` : null,
  ].filter((part) => part !== null);
  return {
    id: "leaks",
    run: input.run,
    title: "Sandboxes may be left behind",
    severity: "minor",
    text: `${parts.join(" and ")}; ${untilWhen(input)}.`,
    rolloutsAffected: 0,
    winBack: null,
    evidence: classLinks(input, [...LEFT, ...FAILED]),
    change: shellChange("a shell with access to the cluster", [
      `kubectl get pods -A -l nemo-gym.nvidia.com/run=${quoted(input.run)} -o wide`,
    ]),
    canaryPlan: null,
  };
};

function untilWhen(input: FindingInput): string {
  const ttl = numberIn(input.config, "sandboxTtl");
  if (ttl === null) return "without a TTL they keep their memory until someone deletes them";
  return `they keep their memory until their TTL of ${ttl >= 3600 ? `${Math.round(ttl / 360) / 10} h` : `${ttl} s`} ends them`;
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
