/** Which evidence reports a failure even when no rule knows it: that becomes `unknown`, the rest is no failure. */
import type { Evidence } from "@/server/domain/evidence";

/** Words by which producers say that an attempt ended well. */
export const GOOD_END =
  /^(ok|pass(ed)?|success(ful)?|succeeded|complete[d]?|submitted|done|resolved|solved|finished)$/i;

/** A line that names an error at its start; a word in the middle of a sentence is none. */
const LOOKS_LIKE_ERROR =
  /^\s*(?:panic: |fatal error: |Traceback \(most recent call last\)|(?:ERROR|FATAL|CRITICAL)[:\s]|Error: |(?:[\w.]{1,120}\.)?[A-Z]\w{1,80}(?:Error|Exception)(?::|\(|\s*$))/;

/** Is this a report of a failure? `agent` text is judged by the caller: it never is. */
export function saysFailure(evidence: Evidence): boolean {
  switch (evidence.kind) {
    case "error":
    case "retry":
    case "exec_event":
      return true;
    case "finished":
      return endedBadly(evidence);
    case "http":
      return evidence.status === undefined ? hasError(evidence) : evidence.status >= 400;
    case "access":
      return (evidence.status ?? 0) >= 500;
    case "exit":
      return evidence.exitCode === undefined ? evidence.signal !== undefined : evidence.exitCode !== 0;
    case "container_end":
      return (evidence.exitCode ?? 0) !== 0 && evidence.exitCode !== 143 && evidence.deleting !== true;
    case "probe":
      return evidence.finishedStatus !== "own_fault" && (hasError(evidence) || (evidence.status ?? 0) >= 400);
    case "event":
    case "exec_log":
      return isLoud(evidence) || looksLikeError(evidence);
    case "line":
      return evidence.level === "error" || evidence.level === "fatal" || looksLikeError(evidence);
    default:
      return false;
  }
}

function endedBadly(evidence: Evidence): boolean {
  if (evidence.finishedStatus === undefined) return hasError(evidence);
  return !GOOD_END.test(evidence.finishedStatus);
}

function hasError({ code, errorType, producerClass }: Evidence): boolean {
  return code !== undefined || errorType !== undefined || producerClass !== undefined;
}

function isLoud({ layer, level }: Evidence): boolean {
  return level === "error" || level === "fatal" || (layer === "kubernetes" && level === "warn");
}

function looksLikeError({ message }: Evidence): boolean {
  return message !== undefined && LOOKS_LIKE_ERROR.test(message);
}
