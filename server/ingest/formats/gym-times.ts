/** When a Gym row began and ended: no field of its own says so, so it is taken from what its agent left. Never the time of receipt. */
import { type JsonObject, numberOf, objectAt, textOf } from "./json-fields";
import { type Clock, dateMs, epochMs, timeOf } from "./times";

export interface RowTimes {
  startedAt: number | null;
  endedAt: number | null;
}

export function gymTimes(row: JsonObject, clock: Clock): RowTimes {
  const startedAt = startOf(row, clock);
  const endedAt = endOf(row, clock) ?? addSeconds(startedAt, totalSeconds(row));
  if (startedAt !== null && endedAt !== null && endedAt < startedAt) return { startedAt, endedAt: startedAt };
  return { startedAt, endedAt };
}

function startOf(row: JsonObject, clock: Clock): number | null {
  const metadata = objectAt(row, "metadata");
  const settings = objectAt(row, "instance_config");
  const session = /^(\d{13})_/.exec(textOf(settings, "run_session_id") ?? "")?.[1];
  const named =
    timeOf(metadata?.started_at, clock) ??
    timeOf(row.generation_start_timestamp, clock) ??
    timeOf(row.started_at, clock) ??
    timeOf(numberOf(row, "ray_queue_timestamp"), clock) ??
    timeOf(numberOf(settings, "ray_queue_timestamp"), clock);
  return named?.at ?? (session === undefined ? null : epochMs(Number(session)));
}

/** The response's time is that of the last model call, or of the row when the agent made it; 0 is no time. */
function endOf(row: JsonObject, clock: Clock): number | null {
  const named =
    timeOf(objectAt(row, "metadata")?.finished_at, clock) ??
    timeOf(row.finished_at, clock) ??
    timeOf(row.completed_at, clock) ??
    timeOf(objectAt(row, "response")?.created_at, clock);
  return named?.at ?? null;
}

function totalSeconds(row: JsonObject): number | undefined {
  const total = numberOf(row, "total_run_time");
  if (total !== undefined) return total;
  const agent = numberOf(row, "agent_run_time");
  return agent === undefined ? undefined : agent + (numberOf(row, "eval_run_time", "verification_time_s") ?? 0);
}

function addSeconds(at: number | null, seconds: number | undefined): number | null {
  return at === null || seconds === undefined ? null : dateMs(at + Math.round(seconds * 1000));
}
