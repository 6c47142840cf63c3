/**
 * Python logging of harnesses and sandbox providers, in the layouts they print (comma or dot milliseconds, ISO, `LEVEL:logger:message`,
 * bare lines of the last-resort handler), with their chained tracebacks and `key=value` fields.
 */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, Seen, Sink } from "../format";
import { bounded } from "./bounded";
import {
  beginsTraceback,
  chainEvidence,
  continuesTraceback,
  exceptionInside,
  exceptionLine,
  exceptionText,
  readTraceback,
} from "./exceptions";
import { type Fields, fieldIds, fieldsOf, harnessEvidence } from "./harness-fields";
import { finishedRollout } from "./harness-rollout";
import { idsIn, peerIn } from "./ids-in-text";
import { isFolded, type LogLine, parseLogLine, stripAnsi } from "./log-line";
import { continuesBlock, nodeErrorEvidence } from "./node-error";
import { type OtherLine, otherLine } from "./other-lines";
import { providerEvidence } from "./provider-lines";
import { statusError } from "./status-error";

/** How Node.js heads the block of an error without a class of its own. */
const NODE_ERROR = /^(?:Uncaught )?Error: (?:socket hang up|(?:connect|read|write) E[A-Z]{4,}|getaddrinfo )/;
const CLOCKLESS = { tz: null, receivedAt: 0 };

export const pythonLog: Format = {
  name: "python-log",
  title: "Log lines of a harness or sandbox provider (Python or Node.js), with tracebacks",
  unit: "line",
  accepts(payload) {
    if (payload.who.container === "sandbox") return false;
    const head = firstLine(stripAnsi(payload.text));
    return (
      parseLogLine(head, CLOCKLESS) !== null ||
      beginsTraceback(head) ||
      exceptionLine(head) !== null ||
      NODE_ERROR.test(head) ||
      providerEvidence(head) !== null
    );
  },
  continues: (line, soFar) => continuesTraceback(line, soFar) || (soFar !== undefined && continuesBlock(line, soFar)),
  read(payload, sink, context) {
    readRecord(payload, sink, context);
  },
};

function readRecord(payload: Payload, sink: Sink, context: FormatContext): void {
  const text = stripAnsi(payload.text);
  const clock = { tz: context.params.tz, receivedAt: context.receivedAt };
  const head = firstLine(text);
  const parsed: LogLine = parseLogLine(head, clock) ?? { time: null, message: head };
  const line = { ...parsed, message: bounded(parsed.message) };
  const fields = fieldsOf(line.message);
  const other = otherLine(line, fields);
  const evidence = other ? otherEvidence(other, line) : evidenceOf(line, text, fields);
  for (const fact of other?.facts?.(context.params.cluster, line.time?.at ?? null) ?? []) sink.fact(fact);
  for (const link of other?.links?.(context.params.cluster) ?? []) sink.link(link);
  if (!evidence) {
    sink.routine(payload);
    return;
  }
  const seen: Seen = { evidence, ...writerOf(line), ...idsIn(line.message), ...fieldIds(fields), ...other?.ids };
  if (line.time) Object.assign(seen, { at: line.time.at, atAssumed: line.time.assumed });
  if (text !== payload.text) seen.text = text;
  if (evidence.kind === "lifecycle" && evidence.phase === "create") seen.alsoStream = true;
  sink.observe(payload, seen);
  const rollout = evidence.kind === "finished" ? finishedRollout(fields, line) : null;
  if (rollout) sink.rollout(payload, rollout);
}

/** `sandbox[b]: …`: a supervisor passes on what was said about one sandbox. */
function writerOf({ logger }: LogLine): Pick<Seen, "sandbox"> {
  const sandbox = /^sandbox\[([^\]]+)\]$/.exec(logger ?? "")?.[1];
  return sandbox ? { sandbox } : {};
}

/** What other programs write in these layouts has a layer of its own. */
function otherEvidence({ evidence }: OtherLine, line: LogLine): Evidence | null {
  if (!evidence) return null;
  const named: Evidence = { layer: "harness", message: line.message, ...evidence };
  if (line.level) named.level = line.level;
  if (line.logger) named.logger = line.logger;
  return named;
}

/** Null for a line that proves nothing: plain progress. */
function evidenceOf(line: LogLine, text: string, fields: Fields): Evidence | null {
  const chain = readTraceback(text);
  const typed = providerEvidence(line.message) ?? harnessEvidence(line.message, fields);
  const kind = typed?.kind ?? defaultKind(line, chain.length > 0);
  if (!kind) return null;
  const alone = exceptionLine(line.message) ?? (kind === "success" ? null : exceptionInside(line.message));
  const innermost = chain[0];
  const node = nodeErrorEvidence(text);
  const evidence: Evidence = {
    layer: "harness",
    ...chainEvidence(alone ? [alone] : []),
    ...typed,
    ...node,
    kind,
    message: bounded(node?.message ?? typed?.message ?? (innermost ? exceptionText(innermost) : line.message)),
    ...(node?.peer ? {} : peerIn(line.message)),
  };
  if (innermost) Object.assign(evidence, chainEvidence(chain));
  if (evidence.kind === "error" || evidence.kind === "line")
    Object.assign(evidence, statusError(evidence.message ?? ""));
  if (line.level) evidence.level = line.level;
  if (line.logger) evidence.logger = line.logger;
  if (isFolded(line.message)) evidence.sampled = true;
  return evidence;
}

/** Progress by level info may quote anything that an agent printed, so only typed lines of it count. */
function defaultKind(line: LogLine, traced: boolean): Evidence["kind"] | null {
  if (traced || line.level === "error" || line.level === "fatal") return "error";
  if (line.level === "warn") return "line";
  if (line.level !== undefined) return null;
  return exceptionLine(line.message) ? "error" : "line";
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}
