/** Commands that are sent again after a failure, although the first may still be running. */
import { plural } from "@/server/stats/percent";
import { configChange } from "./change-lines";
import { configLink } from "./class-facts";
import type { Check } from "./finding";
import { readings } from "./known-settings";

export const commandRetries: Check = (input) => {
  const all = readings(input.config, "commandRetries").filter((one) => typeof one.value === "number" && one.value > 0);
  const [reading] = all.sort((a, b) => Number(b.value) - Number(a.value));
  if (!reading) return null;
  return {
    id: "command-retries",
    run: input.run,
    title: "Commands may run twice",
    severity: "minor",
    text: `A failed command is sent again up to ${plural(Number(reading.value), "time")}, but the exec daemon goes on with one whose client went away: what it changes may be changed twice.`,
    rolloutsAffected: 0,
    winBack: null,
    evidence: [configLink(input)],
    change: configChange([{ id: "commandRetries", before: reading, after: 0 }]),
    canaryPlan: null,
  };
};
