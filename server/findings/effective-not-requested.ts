/** Kubernetes set other values than the run asked for. */
import type { ConfigChange } from "@/server/compare/answer";
import { configDiff } from "@/server/compare/config-diff";
import { binary } from "./change-lines";
import { configLink } from "./class-facts";
import type { Check } from "./finding";
import { readings } from "./known-settings";

export const effectiveNotRequested: Check = (input) => {
  const changes = configDiff(input.config, input.config).changes.filter((change) => change.baseline.overridden);
  if (changes.length === 0) return null;
  const asked = readings(input.config, "memoryLimit")[0]?.value;
  const set = input.config.effective.memoryLimit;
  const less = typeof asked === "number" && typeof set === "number" && set < asked;
  return {
    id: "effective-not-requested",
    run: input.run,
    title: "Kubernetes set other values than were asked for",
    severity: less ? "major" : "minor",
    text: `Not what was asked for: ${changes.map(told).join("; ")}. A LimitRange, a quota, an admission webhook or the server's pod template changes it.`,
    rolloutsAffected: 0,
    winBack: null,
    evidence: [configLink(input)],
    change: null,
    canaryPlan: {
      plan: "smoke",
      options: typeof asked === "number" ? { limits: { memory: binary(asked) } } : {},
    },
  };
};

function told({ key, baseline }: ConfigChange): string {
  const { requested, effective } = baseline;
  const bytes = /memory/i.test(key) && typeof effective === "number" ? binary(effective) : String(effective);
  return `${key} ${String(requested)} became ${bytes}`;
}
