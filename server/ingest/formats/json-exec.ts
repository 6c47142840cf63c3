/** A command that ended, as harnesses record it: exit code, duration, limit, what it printed, its cgroup's counters. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { bounded } from "./bounded";
import { type JsonObject, numberOf, objectAt, textOf } from "./json-fields";

/** `undefined`: not such a record. */
export function execSeen(record: JsonObject): Seen | undefined {
  const exitCode = numberOf(record, "rc", "exit_code", "exitCode", "return_code", "returncode");
  if (exitCode === undefined) return undefined;
  const producerClass = textOf(record, "error_type");
  const typed = exitCode === 0 && producerClass === undefined;
  const evidence: Evidence = { layer: "harness", kind: typed ? "success" : "exit", phase: "exec", exitCode };
  const message = textOf(record, "out", "output", "stderr", "stdout");
  if (message) evidence.message = bounded(message);
  if (producerClass) evidence.producerClass = producerClass;
  const durationMs = numberOf(record, "dur_ms", "duration_ms") ?? seconds(numberOf(record, "duration_s", "elapsed_s"));
  const timeoutMs = numberOf(record, "timeout_ms") ?? seconds(numberOf(record, "timeout_s", "timeout"));
  if (durationMs !== undefined) evidence.durationMs = durationMs;
  if (timeoutMs !== undefined) evidence.timeoutMs = timeoutMs;
  Object.assign(evidence, countersOf(objectAt(record, "cgroup") ?? objectAt(record, "memory_events")));
  return { evidence };
}

function countersOf(counters: JsonObject | undefined): Partial<Evidence> {
  const found: Partial<Evidence> = {};
  const max = numberOf(counters, "max");
  const oom = numberOf(counters, "oom");
  const kills = numberOf(counters, "oom_kill");
  if (max !== undefined) found.memoryMaxEvents = max;
  if (oom !== undefined) found.memoryOomEvents = oom;
  if (kills !== undefined) found.memoryOomKills = kills;
  return found;
}

function seconds(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1000);
}
