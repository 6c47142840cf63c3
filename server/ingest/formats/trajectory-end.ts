/** How an attempt ended, as the trajectory files of mini-swe-agent, SWE-agent and SkyRL say it in `info`. */
import type { Evidence } from "@/server/domain/evidence";
import type { FlatConfig } from "@/server/domain/rollout";
import { flatten } from "./gym-config";
import { errorText } from "./gym-errors";
import { type JsonObject, objectAt, textOf } from "./json-fields";
import { recordError } from "./record-error";

const WENT_WELL = /^submitted$/i;
/** SWE-agent's patch of a box that died: `submitted (exit_environment_error)`. */
const RESCUED = /^submitted \((\w+)\)$/;
const EXCEPTION = /^[A-Z]\w*(?:Error|Exception|Timeout|Expired|NotFound|Disconnected|Interrupt)$/;

/** The ends that mini-swe-agent gives its own names; any other is the class of a Python exception. */
export const AGENT_ENDS: ReadonlySet<string> = new Set([
  "Submitted",
  "LimitsExceeded",
  "TimeExceeded",
  "RepeatedFormatError",
]);

/** Null for a plain submission, and where the file does not say. */
export function endEvidence(info: JsonObject, status: string | null): Evidence | null {
  const told = errorText(textOf(info, "exception_str"), textOf(info, "traceback"));
  if (told === null && (status === null || status === "" || WENT_WELL.test(status))) return null;
  const typed: Partial<Evidence> = {};
  if (status) typed.producerClass = RESCUED.exec(status)?.[1] ?? status;
  if (status && EXCEPTION.test(status) && told?.errorType === undefined) typed.errorType = status;
  const evidence = recordError(textOf(info, "exception_str"), textOf(info, "traceback"), typed);
  return { ...evidence, message: evidence.message ?? status ?? "failed" };
}

export function endConfig(info: JsonObject): FlatConfig {
  const config: FlatConfig = {};
  flatten(config, "environment", objectAt(info, "config", "environment") ?? {}, 0);
  return config;
}
