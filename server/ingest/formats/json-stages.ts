/** How long each stage of a create took, with what the client made of it: `{"bsb":…,"bsb_to_pod_s":2,…,"client_result":"ok"}`. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { type JsonObject, numberOf, textOf } from "./json-fields";

const STAGES = ["bsb_to_pod_s", "pod_delay_s", "ready_to_bsb_s"] as const;

/** `undefined`: not such a record. */
export function stagesSeen(record: JsonObject): Seen | undefined {
  const result = textOf(record, "client_result");
  if (result === undefined) return undefined;
  const took = STAGES.map((stage) => numberOf(record, stage));
  const evidence: Evidence = { layer: "harness", kind: "lifecycle", phase: "create", operation: "create" };
  if (took.every((seconds) => seconds !== undefined)) {
    evidence.durationMs = Math.round(took.reduce((sum: number, seconds) => sum + (seconds ?? 0), 0) * 1000);
  }
  const limit = numberOf(record, "client_ready_timeout_s");
  if (limit !== undefined) evidence.timeoutMs = Math.round(limit * 1000);
  if (!/^(ok|success|ready)$/i.test(result)) {
    evidence.kind = "error";
    evidence.errorType = result;
    evidence.message = `${result} after ${(evidence.durationMs ?? 0) / 1000} s of ${limit ?? "?"} s`;
  }
  return { evidence };
}
