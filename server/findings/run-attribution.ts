/** Sandboxes whose pods do not say which run they are of, or say another one in each worker. */

import { configChange } from "./change-lines";
import { configLink } from "./class-facts";
import type { Check } from "./finding";
import { readings } from "./known-settings";

export const runAttribution: Check = (input) => {
  const [enabled] = readings(input.config, "attribution");
  const [run] = readings(input.config, "attributionRun");
  if (enabled === undefined || enabled.value === null) return null;
  const named = typeof run?.value === "string" && run.value !== "";
  if (enabled.value === true && named) return null;
  const text =
    enabled.value === true
      ? "Attribution is on without a fixed run id, so each worker process makes a run label of its own: pods and logs of one run come under several names."
      : "Attribution is off, so pods and their logs do not say which run they are of: evidence joins a run only by sandbox ids and times.";
  return {
    id: "run-attribution",
    run: input.run,
    title: "Pods do not carry this run's name",
    severity: "minor",
    text,
    rolloutsAffected: 0,
    winBack: null,
    evidence: [configLink(input)],
    change: configChange([
      ...(enabled.value === true ? [] : [{ id: "attribution" as const, before: enabled, after: true }]),
      { id: "attributionRun", before: run ?? null, after: input.run },
    ]),
    canaryPlan: null,
  };
};
