/** Sandboxes that reserve all they may ever use: a higher limit then costs nodes. */
import { bytesText } from "@/server/domain/quantity";
import { binary, configChange, type Rewrite } from "./change-lines";
import { configLink } from "./class-facts";
import type { Check, ConfigFacts } from "./finding";
import { readings } from "./known-settings";
import { fitting, type Size, sizeOf } from "./memory-sizes";

const GIB = 2 ** 30;
/** Requests worth splitting off: below it, a limit is small enough to be reserved whole. */
const TYPICAL = 2 * GIB;

export const requestsEqualLimits: Check = (input) => {
  const limit = sizeOf(input.config, "memoryLimit");
  const request = sizeOf(input.config, "memoryRequest");
  if (limit === null || (request === null ? !unset(input.config) : request.bytes < limit.bytes)) return null;
  const split = splitOf(limit, request);
  const [apart, joined] = [fitting(split.request), fitting(split.limit)];
  const how =
    request === null
      ? "no requests are set, so each sandbox reserves its whole limit"
      : "each sandbox reserves its whole limit";
  return {
    id: "requests-equal-limits",
    run: input.run,
    title: "Requests equal limits",
    severity: "minor",
    text: `At ${bytesText(limit.bytes)} ${how}: a limit of ${bytesText(split.limit)} then fits ${joined.sandboxes} sandboxes on a node of ${joined.nodeGiB} GiB, with requests of ${bytesText(split.request)} it fits ${apart.sandboxes}.`,
    rolloutsAffected: 0,
    winBack: null,
    evidence: [configLink(input)],
    change: configChange(split.rewrites),
    canaryPlan: {
      plan: "smoke",
      options: { limits: { memory: binary(split.limit) }, requests: { memory: binary(split.request) } },
    },
  };
};

/** Nobody set requests: they then equal the limits. Kubernetes' own word about pods would name them. */
function unset(config: ConfigFacts): boolean {
  return readings(config, "memoryRequest").length === 0 && config.effective.memoryLimit === undefined;
}

/** A small limit may rise while its requests stay; a large one keeps and reserves less. */
function splitOf(limit: Size, request: Size | null): { limit: number; request: number; rewrites: Rewrite[] } {
  const small = limit.bytes <= TYPICAL;
  const next = {
    limit: small ? limit.bytes * 4 : limit.bytes,
    request: small ? limit.bytes : Math.max(TYPICAL, limit.bytes / 4),
  };
  const requests: Rewrite = { id: "memoryRequest", before: request?.reading ?? null, after: next.request };
  const limits: Rewrite = { id: "memoryLimit", before: limit.reading, after: next.limit };
  return { ...next, rewrites: small ? [limits, requests] : [requests] };
}
