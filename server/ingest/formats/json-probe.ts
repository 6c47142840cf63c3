/** Results of a canary that wrote them as JSON: one probe, with whether its socket was kept from an earlier one and how long it had idled. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { aboutPath } from "./access-line";
import { exceptionLine } from "./exceptions";
import { booleanOf, type JsonObject, numberOf, textOf } from "./json-fields";

/** `undefined`: not such a record. */
export function probeSeen(record: JsonObject): Seen | undefined {
  const probe = textOf(record, "probe");
  const ok = booleanOf(record, "ok");
  if (probe === undefined || ok === undefined) return undefined;
  const where = aboutPath(textOf(record, "path") ?? "");
  const error = textOf(record, "err", "error");
  const evidence: Evidence = { layer: "canary", kind: "probe", operation: probe, finishedStatus: ok ? "ok" : "failed" };
  const reused = booleanOf(record, "reused");
  const gap = numberOf(record, "gap_s");
  const status = numberOf(record, "status");
  if (reused !== undefined) evidence.reusedSocket = reused;
  if (gap !== undefined) evidence.idleMs = Math.round(gap * 1000);
  if (status !== undefined) evidence.status = status;
  if (where.path) evidence.path = where.path;
  if (where.port !== undefined) evidence.port = where.port;
  if (error) {
    evidence.message = error;
    const type = exceptionLine(error)?.type;
    if (type) evidence.errorType = type;
    if (!ok && numberOf(record, "ttfb_ms") === undefined) evidence.bytesRead = 0;
  }
  return { evidence, ...(where.sandbox ? { sandbox: where.sandbox } : {}) };
}
