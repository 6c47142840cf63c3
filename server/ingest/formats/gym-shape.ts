/** Fields of a Gym row that must have their type, or the row cannot be counted: a wrong one is said by name and type. */
import { COUNT, foundWord, isCount, type JsonObject, typeWord } from "./json-fields";

type Demand = "integer" | "number" | "string" | "boolean" | "object";

const DEMANDS: Record<string, Demand> = {
  _ng_task_index: "integer",
  _ng_rollout_index: "integer",
  _ng_attempt_index: "integer",
  attempt: "integer",
  reward: "number",
  _ng_failure_class: "string",
  instance_id: "string",
  sandbox_id: "string",
  sandbox_handle: "string",
  mask_sample: "boolean",
  resolved: "boolean",
  agent_ref: "object",
  response: "object",
  metadata: "object",
  instance_config: "object",
};
const MAY_BE_NULL = /^(?!_ng_|reward$)/;

/** Null when the row can be counted. */
export function gymFault(row: JsonObject): { code: "invalid_type" | "missing_field"; message: string } | null {
  for (const [name, demand] of Object.entries(DEMANDS)) {
    const value = row[name];
    if (value === undefined || (value === null && MAY_BE_NULL.test(name)) || fits(value, demand)) continue;
    return {
      code: "invalid_type",
      message: `${name} must be ${article(demand)}, got ${demand === "integer" ? foundWord(value) : typeWord(value)}`,
    };
  }
  return null;
}

function fits(value: unknown, demand: Demand): boolean {
  switch (demand) {
    case "integer":
      return isCount(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === demand;
  }
}

function article(demand: Demand): string {
  if (demand === "integer") return COUNT;
  return demand === "object" ? "an object" : `a ${demand}`;
}
