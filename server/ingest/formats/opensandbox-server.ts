/** The sandbox API server's log, in its stdout layout (coloured, `INFO:`) and its file layout, with tracebacks. */
import type { Evidence } from "@/server/domain/evidence";
import { FACT_RANK } from "@/server/domain/facts";
import { makeRef } from "@/server/domain/refs";
import type { Format, FormatContext, Payload, Seen, Sink } from "../format";
import { accessEvidence } from "./access-line";
import { bounded } from "./bounded";
import { chainEvidence, continuesTraceback, exceptionText, readTraceback } from "./exceptions";
import { levelOf, stripAnsi } from "./log-line";
import { type ServerLine, serverLine } from "./server-lines";
import { parseTime, type ReadTime } from "./times";

const LINE = /^([A-Z]+):?\s+(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?[+-]\d{4}) \[([^\]]*)\] ([\w.]+): (.*)$/s;

interface Head {
  level: Evidence["level"];
  time: ReadTime | null;
  requestId: string | null;
  logger: string;
  message: string;
}

export const opensandboxServer: Format = {
  name: "opensandbox-server",
  title: "Log of the OpenSandbox API server, application and access lines",
  unit: "line",
  accepts: (payload) => LINE.test(stripAnsi(firstLine(payload.text))),
  continues: continuesTraceback,
  read(payload, sink, context) {
    const text = stripAnsi(payload.text);
    const head = readHead(text, context);
    const access = head.logger === "uvicorn.access" ? accessEvidence(head.message, "server") : null;
    if (access) observeAccess(payload, sink, head, access);
    else observeApp(payload, sink, context, head, text);
  },
};

function readHead(text: string, { params, receivedAt }: FormatContext): Head {
  const [, level, time = "", requestId = "-", logger = "", message = ""] = LINE.exec(firstLine(text)) ?? [];
  return {
    level: levelOf(level),
    time: parseTime(time, { tz: params.tz, receivedAt }),
    requestId: requestId === "-" || requestId === "" ? null : requestId,
    logger,
    message: bounded(message),
  };
}

function observeAccess(payload: Payload, sink: Sink, head: Head, access: Pick<Seen, "evidence" | "sandbox">): void {
  const { status = 0, method, path = "" } = access.evidence;
  const ranCommand = status < 400 && method === "POST" && /\/proxy\/44772\/command\b/.test(path);
  if (status < 400 && !ranCommand) {
    sink.routine(payload);
    return;
  }
  const evidence: Evidence = ranCommand ? { ...access.evidence, kind: "success", phase: "exec" } : access.evidence;
  sink.observe(payload, { ...access, evidence, ...timeOfHead(head), text: stripAnsi(payload.text) });
}

function observeApp(payload: Payload, sink: Sink, context: FormatContext, head: Head, text: string): void {
  const line = serverLine(head.message);
  if (line) putFacts(line, head, sink, context);
  const chain = readTraceback(text);
  const kind = line?.kind ?? defaultKind(head.level, chain.length > 0);
  if (kind === null) {
    sink.routine(payload);
    return;
  }
  const innermost = chain[0];
  const evidence: Evidence = {
    layer: "server",
    logger: head.logger,
    ...line?.evidence,
    kind,
    message: bounded(line?.evidence?.message ?? (innermost ? exceptionText(innermost) : head.message)),
    ...chainEvidence(chain),
  };
  if (head.level) evidence.level = head.level;
  if (head.requestId) evidence.operationId = head.requestId;
  // The access line of the same create has no sandbox: the stream must know that this one told of it.
  const alsoStream = evidence.kind === "error" && evidence.phase === "create" && line?.ids.sandbox !== undefined;
  sink.observe(payload, { evidence, ...line?.ids, ...timeOfHead(head), text, ...(alsoStream && { alsoStream }) });
}

function defaultKind(level: Evidence["level"], traced: boolean): Evidence["kind"] | null {
  if (traced || level === "error" || level === "fatal") return "error";
  return level === "warn" ? "line" : null;
}

function putFacts({ ids, fact }: ServerLine, head: Head, sink: Sink, context: FormatContext): void {
  if (!fact || !ids.sandbox || !head.time) return;
  const ref = makeRef("sandbox", context.params.cluster, ids.sandbox);
  sink.fact({ ref, name: fact, value: head.time.at, rank: FACT_RANK.server, at: head.time.at });
}

function timeOfHead({ time }: Head): Pick<Seen, "at" | "atAssumed"> {
  return time ? { at: time.at, atAssumed: time.assumed } : {};
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}
