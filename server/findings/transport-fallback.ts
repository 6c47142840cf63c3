/** The harness asked for a transport that was not there and went on with another. */
import { plural } from "@/server/stats/percent";
import { shellChange } from "./change-lines";
import { configLink } from "./class-facts";
import type { Check } from "./finding";
import { readings } from "./known-settings";

export const transportFallback: Check = (input) => {
  if (input.transportFellBack === 0) return null;
  const asked =
    readings(input.config, "transportBackend").find((one) => typeof one.value === "string")?.value ?? "aiohttp";
  return {
    id: "transport-fallback",
    run: input.run,
    title: "Another transport was used than the one asked for",
    severity: "minor",
    text: `The harness asked for ${asked} and went on without it (${plural(input.transportFellBack, "line")} say so): what its connections do is not what the config says.`,
    rolloutsAffected: 0,
    winBack: null,
    evidence: [
      { label: "lines that say so", path: "/incidents", query: { run: input.run, class: "client.config" } },
      configLink(input),
    ],
    change: asked === "aiohttp" ? shellChange("where the harness is installed", ["pip install httpx-aiohttp"]) : null,
    canaryPlan: null,
  };
};
