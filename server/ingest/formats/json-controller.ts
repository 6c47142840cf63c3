/** The OpenSandbox controller's log record that shows a sandbox's end: the status that it patches, with the condition as JSON text. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { bounded } from "./bounded";
import { isObject, type JsonObject, objectAt, objectsOf, textOf } from "./json-fields";

/** `undefined`: not such a record. `null`: a phase that is no failure. */
export function controllerSeen(record: JsonObject): Seen | null | undefined {
  if (textOf(record, "msg") !== "Patching BatchSandbox status") return undefined;
  const sandbox = textOf(record, "name");
  if (textOf(record, "phase") !== "Failed" || !sandbox) return null;
  const condition = failedCondition(textOf(record, "patchData") ?? "");
  const reason = textOf(condition, "reason");
  const told = [reason, textOf(condition, "message")].filter(Boolean).join(": ");
  const evidence: Evidence = { layer: "server", kind: "error", message: bounded(told || "phase Failed") };
  if (reason) evidence.reason = reason;
  return { evidence, sandbox };
}

function failedCondition(patch: string): JsonObject | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(patch);
  } catch {
    return undefined;
  }
  const conditions = objectsOf(objectAt(isObject(parsed) ? parsed : undefined, "status"), "conditions");
  return conditions.find((one) => /Failed$/.test(textOf(one, "type") ?? "") && one.status === "True");
}
