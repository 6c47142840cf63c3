/** One probe of a canary's line, taken field by field: the line may come from anyone. */
import type { ProbeRecord } from "@/server/canary/probe";
import type { ProbeProblem } from "@/server/canary/probe-evidence";
import { booleanOf, type JsonObject, numberOf, objectAt, textOf } from "./json-fields";

const NO_PHASES = {
  queue: null,
  resolve: null,
  connect: null,
  tls: null,
  write: null,
  firstByte: null,
  transfer: null,
};

/** Null when it names no operation. Phases are left out: evidence has no use for them. */
export function probeOf(line: JsonObject | undefined): ProbeRecord | null {
  const operation = textOf(line, "operation");
  if (line === undefined || operation === undefined) return null;
  const socket = objectAt(line, "socket");
  return {
    id: textOf(line, "id") ?? "",
    operation,
    method: textOf(line, "method") ?? "GET",
    path: textOf(line, "path") ?? "",
    profile: textOf(line, "profile") ?? "",
    startedAt: numberOf(line, "startedAt") ?? 0,
    totalMs: numberOf(line, "totalMs") ?? 0,
    phases: NO_PHASES,
    socket: {
      localPort: numberOf(socket, "localPort") ?? null,
      reused: booleanOf(socket, "reused") ?? null,
      idleMs: numberOf(socket, "idleMs") ?? null,
    },
    status: numberOf(line, "status") ?? null,
    bytesRead: numberOf(line, "bytesRead") ?? 0,
    code: textOf(line, "code") ?? null,
    message: textOf(line, "message") ?? null,
    connectRetries: numberOf(line, "connectRetries") ?? 0,
    loopDelayMs: numberOf(line, "loopDelayMs") ?? 0,
    ownFault: booleanOf(line, "ownFault") ?? false,
  };
}

export function problemIn(line: JsonObject | undefined): ProbeProblem | null {
  if (line === undefined) return null;
  const exec = objectAt(line, "exec");
  const [name, value] = [textOf(exec, "name"), textOf(exec, "value")];
  return {
    code: textOf(line, "code") ?? null,
    message: textOf(line, "message") ?? null,
    ...(name === undefined ? {} : { exec: { name, value: value ?? "" } }),
  };
}
